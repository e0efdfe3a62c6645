/** Spans and metrics of the calls to the database. */
import { SpanKind } from "@opentelemetry/api";
import type { EngineCall, OpenEngine, TransactionStep } from "./engine.ts";
import type { Sql } from "./sql.ts";
import { DURATION, isTelemetryOn, meter } from "../log/telemetry/api.ts";
import { errorName, inSpan } from "../log/telemetry/span.ts";

const durations = meter.createHistogram("db.client.operation.duration", {
  ...DURATION,
  description: "Time of one question to the database",
});

/** Makes a call on an engine, observed where telemetry is on. */
export async function observedCall(engine: OpenEngine, call: EngineCall): Promise<unknown> {
  const [operation, table] = isTelemetryOn ? namesOf(call) : [];
  if (!operation || !table) return await call.on(engine);
  const attributes = {
    "db.system.name": engine.system,
    "db.operation.name": operation,
    "db.collection.name": table,
  };
  const started = performance.now();
  let failure: { "error.type"?: string } = {};
  try {
    const options = { kind: SpanKind.CLIENT, attributes };
    return await inSpan(`${operation} ${table}`, options, () => call.on(engine));
  } catch (error) {
    failure = { "error.type": errorName(error) };
    throw error;
  } finally {
    durations.record((performance.now() - started) / 1000, { ...attributes, ...failure });
  }
}

/** What a call does, and to which table first; none for what is not observed. */
function namesOf({ name, args: [first] }: EngineCall): [operation: string, table: string] | [] {
  switch (name) {
    case "count":
    case "page":
    case "tally":
      return [name, "file_sets"];
    case "dataVersion":
      return ["version", "file_sets"];
    case "runsVersion":
      return ["version", "runs"];
    case "rows":
      return namesIn(first as string);
    case "writeIfFree":
      return namesIn((first as Sql).text);
    case "transact":
      return [name, namesIn((first as readonly TransactionStep[])[0].text)[1]];
    default:
      return [];
  }
}

/** What a statement does, and to which table first; no values are in its text. */
function namesIn(text: string): [operation: string, table: string] {
  const [operation] = /^\w+/.exec(text) ?? ["query"];
  const [, table = "none"] = /\b(?:FROM|INTO|UPDATE)\s+(\w+)/.exec(text) ?? [];
  return [operation.toLowerCase(), table];
}
