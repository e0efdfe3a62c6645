/** Watched schedules as OpenMetrics, in pieces, so that other requests are answered in between. */
import { setImmediate as turn } from "node:timers/promises";
import type * as client from "@prometheus-io/client";
// Only these parts, because the whole package opens a channel between workers when it is loaded.
import counterClass from "@prometheus-io/client/lib/counter.js";
import gaugeClass from "@prometheus-io/client/lib/gauge.js";
import registryClass from "@prometheus-io/client/lib/registry.js";
import type { StreamedText } from "../http/text_response.ts";
import type { ScheduleFigures } from "../store/records/overview.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

const Counter = counterClass as unknown as typeof client.Counter;
const Gauge = gaugeClass as unknown as typeof client.Gauge;
const Registry = registryClass as unknown as typeof client.Registry;

const STATES = ["up", "late", "down", "unknown", "new"] as const;
const STATE = "docket_schedule_state";

/** Metrics of each schedule by name: the help text and the value, which is null if unknown. */
const OF_SCHEDULES: Readonly<
  Record<string, readonly [string, (of: ScheduleFigures) => number | null]>
> = {
  docket_schedule_up: [
    "0 if a schedule is down, 1 if it is up or late; none while that is not known",
    ({ state }) => state === "down" ? 0 : state === "up" || state === "late" ? 1 : null,
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
    "Planned runs of a schedule that have not started within their grace",
    ({ overdue }) => overdue,
  ],
  docket_schedule_failing_runs: [
    "Latest runs of a schedule that failed in a row",
    ({ failing }) => failing,
  ],
  docket_schedule_plan_confirmed: [
    "1 if a person confirmed the plan of a schedule, otherwise 0",
    ({ plan }) => plan === null ? 0 : 1,
  ],
  docket_observer_last_poll_timestamp_seconds: [
    "When the history of a schedule was last read",
    ({ polled }) => secondsOf(polled),
  ],
};

/** Reads everything before it returns, so that a database error becomes an error status. */
export async function metricsOf(records: ObserverRecords): Promise<StreamedText> {
  const registry = await registryOfAll(records);
  const texts = await textsOfSchedules(records);
  async function* pieces() {
    for (const text of texts) {
      // Compressing a piece takes longer than making it.
      await turn();
      yield text;
    }
    yield await registry.metrics();
  }
  return { contentType: registry.contentType, pieces: pieces() };
}

async function registryOfAll({ incidents, counters }: ObserverRecords) {
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
  for (const { counted, outlet, outcome, count } of await counters.list()) {
    if (counted === "polls") polls.inc({ outcome }, count);
    else deliveries.inc({ outlet, outcome }, count);
  }
  return registry;
}

/** Written here, because the library would write all schedules without a pause. */
async function textsOfSchedules({ overview }: ObserverRecords): Promise<readonly string[]> {
  const texts = new Map(
    Object.entries(OF_SCHEDULES).map(([name, [help]]) => [name, [described(name, help)]]),
  );
  const states = [
    described(STATE, "The state of a schedule: 1 for the current state, otherwise 0"),
  ];
  for await (const page of overview.figures()) {
    await turn();
    for (const [name, [, valueOf]] of Object.entries(OF_SCHEDULES)) {
      const samples = page.flatMap((figures) => {
        const value = valueOf(figures);
        return value === null ? [] : `${name}{schedule_id="${figures.scheduleId}"} ${value}\n`;
      });
      texts.get(name)!.push(samples.join(""));
    }
    const judged = page.filter(({ state }) => state !== null);
    states.push(
      judged.flatMap(({ scheduleId, state }) =>
        STATES.map((each) => {
          const labels = `schedule_id="${scheduleId}",state="${each}"`;
          return `${STATE}{${labels}} ${state === each ? 1 : 0}\n`;
        })
      ).join(""),
    );
  }
  return [...[...texts.values()].flat(), ...states];
}

function described(name: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}
