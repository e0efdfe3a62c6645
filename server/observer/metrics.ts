/** Watched schedules as OpenMetrics. */
import type { ScheduleFigures } from "../store/records/overview.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { Counter } from "../store/records/shared.ts";
import { yieldToEventLoop } from "../workers/yield_to_event_loop.ts";

export const METRICS_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";
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
    ({ lastSuccess }) => toSeconds(lastSuccess),
  ],
  docket_schedule_next_due_timestamp_seconds: [
    "When the next run of a schedule is due",
    ({ nextDue }) => toSeconds(nextDue),
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
    ({ plans }) => plans.length === 0 ? 0 : 1,
  ],
  docket_observer_last_poll_timestamp_seconds: [
    "When the history of a schedule was last read",
    ({ polled }) => toSeconds(polled),
  ],
};

export async function writeMetrics(records: ObserverRecords): Promise<string> {
  return await textOfSchedules(records) + await textOfAll(records) + "# EOF\n";
}

async function textOfAll({ incidents, counters }: ObserverRecords): Promise<string> {
  const open = Object.entries(await incidents.countOpen());
  const counted = await counters.list();
  const counts = (of: Counter["counted"], name: string, help: string) => [
    described(name, help, "counter"),
    ...counted.filter((each) => each.counted === of).map(({ outlet, outcome, count }) =>
      sample(`${name}_total`, { ...outlet !== "" && { outlet }, outcome }, count)
    ),
  ];
  return [
    described("docket_incidents_open", "Open incidents"),
    ...open.map(([severity, count]) => sample("docket_incidents_open", { severity }, count)),
    ...counts("polls", "docket_observer_polls", "Polls of schedules"),
    ...counts("messages", "docket_deliveries", "Messages about incidents, counted at each attempt"),
  ].join("");
}

function sample(
  name: string,
  labels: Readonly<Record<string, string | number>>,
  value: number,
): string {
  const texts = Object.entries(labels).map(([label, text]) =>
    `${label}=${JSON.stringify(String(text))}`
  );
  return `${name}{${texts.join(",")}} ${value}\n`;
}

async function textOfSchedules({ overview }: ObserverRecords): Promise<string> {
  const schedules = await overview.figures();
  const texts: string[] = [];
  for (const [name, [help, valueOf]] of Object.entries(OF_SCHEDULES)) {
    // With many schedules, other requests are answered in between.
    await yieldToEventLoop();
    const samples = schedules.flatMap((figures) => {
      const value = valueOf(figures);
      return value === null ? [] : sample(name, { schedule_id: figures.scheduleId }, value);
    });
    texts.push(described(name, help), ...samples);
  }
  const states = schedules.filter(({ state }) => state !== null).flatMap(({ scheduleId, state }) =>
    STATES.map((each) =>
      sample(STATE, { schedule_id: scheduleId, state: each }, state === each ? 1 : 0)
    )
  );
  const help = "The state of a schedule: 1 for the current state, otherwise 0";
  return [...texts, described(STATE, help), ...states].join("");
}

function described(name: string, help: string, type = "gauge"): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}
