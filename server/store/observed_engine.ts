/** Spans and metrics of what the database is asked. */
import { SpanKind } from "@opentelemetry/api";
import type { Engine } from "./engine.ts";
import { DURATION, isTelemetryOn, meter } from "../log/telemetry/api.ts";
import { errorName, inSpan } from "../log/telemetry/span.ts";

const durations = meter.createHistogram("db.client.operation.duration", {
  ...DURATION,
  description: "Time of one question to the database",
});

/** The engine, observed; the very same one without telemetry. */
export function observedEngine(system: "sqlite" | "postgresql", engine: Engine): Engine {
  if (!isTelemetryOn) return engine;

  async function observed<T>(operation: string, table: string, work: () => Promise<T>): Promise<T> {
    const names = {
      "db.system.name": system,
      "db.operation.name": operation,
      "db.collection.name": table,
    };
    const started = performance.now();
    let failure: { "error.type"?: string } = {};
    try {
      const options = { kind: SpanKind.CLIENT, attributes: names };
      return await inSpan(`${operation} ${table}`, options, work);
    } catch (error) {
      failure = { "error.type": errorName(error) };
      throw error;
    } finally {
      durations.record((performance.now() - started) / 1000, { ...names, ...failure });
    }
  }

  return {
    ...engine,
    count: (...args) => observed("count", "file_sets", () => engine.count(...args)),
    page: (...args) => observed("page", "file_sets", () => engine.page(...args)),
    tally: (...args) => observed("tally", "file_sets", () => engine.tally(...args)),
    rows: (...args) => observed(...namesOf(args[0]), () => engine.rows(...args)),
    transact: (steps) =>
      observed("transact", namesOf(steps[0].text)[1], () => engine.transact(steps)),
    writeIfFree: (sql) => observed(...namesOf(sql.text), () => engine.writeIfFree(sql)),
    dataVersion: () => observed("version", "file_sets", () => engine.dataVersion()),
    runsVersion: (scheduleId) => observed("version", "runs", () => engine.runsVersion(scheduleId)),
  };
}

/** What a statement does, and to which table first; no values are in its text. */
function namesOf(text: string): [operation: string, table: string] {
  const [operation] = /^\w+/.exec(text) ?? ["query"];
  const [, table = "none"] = /\b(?:FROM|INTO|UPDATE)\s+(\w+)/.exec(text) ?? [];
  return [operation.toLowerCase(), table];
}
