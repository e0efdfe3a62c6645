/**
 * Watched schedules as OpenMetrics. Ten thousand of them make 120,000 lines, written in pieces so
 * that other requests are answered meanwhile.
 */
import { setImmediate as turn } from "node:timers/promises";
import type * as client from "@prometheus-io/client";
// Only the parts: the package as a whole opens a channel between workers when it is loaded.
import counterClass from "@prometheus-io/client/lib/counter.js";
import gaugeClass from "@prometheus-io/client/lib/gauge.js";
import registryClass from "@prometheus-io/client/lib/registry.js";
import type { StreamedText } from "../http/text_response.ts";
import type { ScheduleFigures } from "../store/observer/overview.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";

const Counter = counterClass as unknown as typeof client.Counter;
const Gauge = gaugeClass as unknown as typeof client.Gauge;
const Registry = registryClass as unknown as typeof client.Registry;

/** The states of a verdict. */
const STATES = ["up", "late", "down", "unknown", "new"] as const;

/** Metrics of each schedule by name: their help text, and their value, or null if unknown. */
const OF_SCHEDULES: Readonly<
  Record<string, readonly [string, (of: ScheduleFigures) => number | null]>
> = {
  docket_schedule_up: [
    "0 where a schedule is down, else 1",
    ({ state }) => state === null ? null : state === "down" ? 0 : 1,
  ],
  docket_schedule_last_success_timestamp_seconds: [
    "When the last good run of a schedule started",
    ({ lastSuccess }) => secondsOf(lastSuccess),
  ],
  docket_schedule_next_due_timestamp_seconds: [
    "When the next run of a schedule is due",
    ({ nextDue }) => secondsOf(nextDue),
  ],
  docket_schedule_overdue_runs: [
    "Runs of a schedule that did not start within their grace",
    ({ overdue }) => overdue,
  ],
  docket_schedule_failing_runs: [
    "Runs of a schedule that failed in a row, up to the latest",
    ({ failing }) => failing,
  ],
  docket_schedule_plan_confirmed: [
    "Whether a person confirmed the plan of a schedule",
    ({ plan }) => plan === null ? 0 : 1,
  ],
  docket_observer_last_poll_timestamp_seconds: [
    "When the history of a schedule was last read",
    ({ polled }) => secondsOf(polled),
  ],
};

/**
 * The metrics of records. They name schedules by id, and no person. Everything is read before this
 * returns, so that a database error can be answered with a status.
 */
export async function metricsOf(records: ObserverRecords): Promise<StreamedText> {
  const registry = await registryOfAll(records);
  const texts = await textsOfSchedules(records);
  async function* pieces() {
    for (const text of texts) {
      // Each piece is compressed as it is sent, which takes longer than making it.
      await turn();
      yield text;
    }
    yield await registry.metrics();
  }
  return { contentType: registry.contentType, pieces: pieces() };
}

/** The metrics of all schedules together. */
async function registryOfAll({ incidents, values }: ObserverRecords) {
  const registry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  const open = new Gauge({
    name: "docket_incidents_open",
    help: "Open incidents",
    labelNames: ["severity"],
    registers,
  });
  for (const [severity, count] of Object.entries(await incidents.countOpen())) {
    open.set({ severity }, count);
  }
  const polls = new Counter({
    name: "docket_observer_polls_total",
    help: "Polls of schedules",
    labelNames: ["outcome"],
    registers,
  });
  const deliveries = new Counter({
    name: "docket_deliveries_total",
    help: "Attempts to deliver incidents",
    labelNames: ["outlet", "outcome"],
    registers,
  });
  for (const [name, count] of await values.numbersBeginningWith("count/")) {
    const [, kind, ...labels] = name.split("/");
    if (kind === "polls") polls.inc({ outcome: labels[0] }, count);
    else deliveries.inc({ outlet: labels[0], outcome: labels[1] }, count);
  }
  return registry;
}

/** How many schedules get samples before other tasks run. */
const AT_ONCE = 100;
/** A metric as text: its help and its type on a line each, then its samples. */
const DESCRIBED = /^(.*\n.*\n)([^]*)$/;

/** The metrics of each schedule, in pieces: the library writes a registry without a pause. */
async function textsOfSchedules({ overview }: ObserverRecords): Promise<readonly string[]> {
  const names = [...Object.keys(OF_SCHEDULES), "docket_schedule_state"];
  const texts = new Map<string, string[]>(names.map((name) => [name, []]));
  for await (const page of overview.figures()) {
    for (let at = 0; at < page.length; at += AT_ONCE) {
      await turn();
      const registry = registryOfSchedules(page.slice(at, at + AT_ONCE));
      for (const name of names) {
        const text = await registry.getSingleMetricAsString(name);
        const known = texts.get(name)!;
        const [description, samples] = DESCRIBED.exec(`${text.trimEnd()}\n`)!.slice(1);
        if (known.length === 0) known.push(description);
        known.push(samples);
      }
    }
  }
  return [...texts.values()].flat();
}

function registryOfSchedules(page: readonly ScheduleFigures[]) {
  const registry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  for (const [name, [help, valueOf]] of Object.entries(OF_SCHEDULES)) {
    const gauge = new Gauge({ name, help, labelNames: ["schedule_id"], registers });
    for (const figures of page) {
      const value = valueOf(figures);
      if (value !== null) gauge.set({ schedule_id: String(figures.scheduleId) }, value);
    }
  }
  const gauge = new Gauge({
    name: "docket_schedule_state",
    help: "The state of a schedule: 1 for the one that it is in",
    labelNames: ["schedule_id", "state"],
    registers,
  });
  for (const { scheduleId, state } of page) {
    if (state === null) continue;
    for (const each of STATES) {
      gauge.set({ schedule_id: String(scheduleId), state: each }, state === each ? 1 : 0);
    }
  }
  return registry;
}

function secondsOf(moment: number | null): number | null {
  return moment === null ? null : moment / 1000;
}
