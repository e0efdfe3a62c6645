/**
 * What is known of watched schedules, as OpenMetrics. Ten thousand of them are 120,000 lines: these are
 * written in pieces, so that nobody else waits.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { ScheduleFigures } from "../store/observer/overview.ts";
import type { Records } from "../store/observer/records.ts";

/** The states of a verdict. */
const STATES = ["up", "late", "down", "unknown", "new"] as const;

/** Metrics as they are sent. */
export interface Metrics {
  readonly contentType: string;
  readonly text: string;
}

/** Metrics of each schedule: their name, what they say, and their number; null where there is none. */
const OF_SCHEDULES: readonly [string, string, (of: ScheduleFigures) => number | null][] = [
  [
    "docket_schedule_up",
    "0 where a schedule is down, else 1",
    ({ state }) => state === null ? null : state === "down" ? 0 : 1,
  ],
  [
    "docket_schedule_last_success_timestamp_seconds",
    "When the last good run of a schedule started",
    ({ lastSuccess }) => secondsOf(lastSuccess),
  ],
  [
    "docket_schedule_next_due_timestamp_seconds",
    "When the next run of a schedule is due",
    ({ nextDue }) => secondsOf(nextDue),
  ],
  [
    "docket_schedule_overdue_runs",
    "Runs of a schedule whose grace is over and that did not start",
    ({ overdue }) => overdue,
  ],
  [
    "docket_schedule_failing_runs",
    "Runs of a schedule that failed in a row, up to the latest",
    ({ failing }) => failing,
  ],
  [
    "docket_schedule_plan_confirmed",
    "Whether a person confirmed the plan of a schedule",
    ({ isConfirmed }) => isConfirmed,
  ],
  [
    "docket_observer_last_look_timestamp_seconds",
    "When the history of a schedule was last read",
    ({ looked }) => secondsOf(looked),
  ],
];

/** The metrics of those records. They name schedules by their ids, and no person. */
export async function metricsOf({ overview, incidents, values }: Records): Promise<Metrics> {
  const pages: (readonly ScheduleFigures[])[] = [];
  for await (const page of overview.figures()) {
    pages.push(page);
    await turn();
  }
  const text: string[] = [];

  async function ofSchedules(name: string, help: string, lines: (of: ScheduleFigures) => string) {
    text.push(headOf(name, help, "gauge"));
    for (const page of pages) {
      text.push(page.map(lines).join(""));
      await turn();
    }
  }
  for (const [name, help, valueOf] of OF_SCHEDULES) {
    await ofSchedules(name, help, (figures) => {
      const value = valueOf(figures);
      return value === null ? "" : `${name}{schedule_id="${figures.scheduleId}"} ${value}\n`;
    });
  }
  const name = "docket_schedule_state";
  const help = "The state of a schedule: 1 for the one that it is in";
  await ofSchedules(
    name,
    help,
    ({ scheduleId, state }) =>
      state === null
        ? ""
        : STATES.map((each) =>
          `${name}{schedule_id="${scheduleId}",state="${each}"} ${state === each ? 1 : 0}\n`
        ).join(""),
  );

  text.push(headOf("docket_incidents_open", "Open incidents", "gauge"));
  for (const [severity, count] of Object.entries(await incidents.countOpen())) {
    text.push(`docket_incidents_open{severity="${severity}"} ${count}\n`);
  }
  text.push(headOf("docket_observer_looks", "Looks at schedules", "counter"));
  for (const [name, count] of await values.beginning("count/looks/")) {
    const [, , outcome] = name.split("/");
    text.push(`docket_observer_looks_total{outcome="${outcome}"} ${count}\n`);
  }
  text.push(headOf("docket_deliveries", "Attempts to deliver incidents", "counter"));
  for (const [name, count] of await values.beginning("count/deliveries/")) {
    const [, , outlet, outcome] = name.split("/");
    text.push(`docket_deliveries_total{outlet="${outlet}",outcome="${outcome}"} ${count}\n`);
  }
  text.push("# EOF\n");
  const contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8";
  return { contentType, text: text.join("") };
}

function headOf(name: string, help: string, type: "gauge" | "counter"): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function secondsOf(moment: number | null): number | null {
  return moment === null ? null : moment / 1000;
}
