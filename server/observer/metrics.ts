/** What is known of watched schedules, as OpenMetrics. */
import type * as client from "@prometheus-io/client";
// The parts alone: the package as a whole opens a channel between workers when it is loaded.
import counterClass from "@prometheus-io/client/lib/counter.js";
import gaugeClass from "@prometheus-io/client/lib/gauge.js";
import registryClass from "@prometheus-io/client/lib/registry.js";
import type { Records } from "../store/observer/records.ts";

const Counter = counterClass as unknown as typeof client.Counter;
const Gauge = gaugeClass as unknown as typeof client.Gauge;
const Registry = registryClass as unknown as typeof client.Registry;

/** The states of a verdict. */
const STATES = ["up", "late", "down", "unknown", "new"] as const;

/** Metrics as they are sent. */
export interface Metrics {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics of those records. They name schedules by their ids, and no person. */
export async function metricsOf(records: Records): Promise<Metrics> {
  const [watches, verdicts, open, counts] = await Promise.all([
    records.watches.list(),
    records.verdicts.list(),
    records.incidents.countOpen(),
    records.values.beginning("count/"),
  ]);
  const registry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];

  function gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]) {
    return new Gauge({ name, help, labelNames, registers });
  }
  function counter<Label extends string>(name: string, help: string, ...labelNames: Label[]) {
    return new Counter({ name, help, labelNames, registers });
  }

  const up = gauge("docket_schedule_up", "0 where a schedule is down, else 1", "schedule_id");
  const state = gauge(
    "docket_schedule_state",
    "The state of a schedule: 1 for the one that it is in",
    "schedule_id",
    "state",
  );
  const lastSuccess = gauge(
    "docket_schedule_last_success_timestamp_seconds",
    "When the last good run of a schedule started",
    "schedule_id",
  );
  const nextDue = gauge(
    "docket_schedule_next_due_timestamp_seconds",
    "When the next run of a schedule is due",
    "schedule_id",
  );
  const overdue = gauge(
    "docket_schedule_overdue_runs",
    "Runs of a schedule whose grace is over and that did not start",
    "schedule_id",
  );
  const failing = gauge(
    "docket_schedule_failing_runs",
    "Runs of a schedule that failed in a row, up to the latest",
    "schedule_id",
  );
  const confirmed = gauge(
    "docket_schedule_plan_confirmed",
    "Whether a person confirmed the plan of a schedule",
    "schedule_id",
  );
  const lastLook = gauge(
    "docket_observer_last_look_timestamp_seconds",
    "When the history of a schedule was last read",
    "schedule_id",
  );
  for (const { scheduleId, plan, looked } of watches) {
    const labels = { schedule_id: String(scheduleId) };
    confirmed.set(labels, plan ? 1 : 0);
    if (looked !== null) lastLook.set(labels, looked / 1000);
  }
  for (const verdict of verdicts) {
    const labels = { schedule_id: String(verdict.scheduleId) };
    up.set(labels, verdict.state === "down" ? 0 : 1);
    for (const each of STATES) {
      state.set({ ...labels, state: each }, verdict.state === each ? 1 : 0);
    }
    if (verdict.lastSuccess !== null) lastSuccess.set(labels, verdict.lastSuccess / 1000);
    if (verdict.nextDue !== null) nextDue.set(labels, verdict.nextDue / 1000);
    overdue.set(labels, verdict.overdue);
    failing.set(labels, verdict.failing);
  }

  const incidents = gauge("docket_incidents_open", "Open incidents", "severity");
  for (const [severity, count] of Object.entries(open)) incidents.set({ severity }, count);

  const looks = counter("docket_observer_looks_total", "Looks at schedules", "outcome");
  const deliveries = counter(
    "docket_deliveries_total",
    "Attempts to deliver incidents",
    "outlet",
    "outcome",
  );
  for (const [name, count] of counts) {
    const [, kind, ...labels] = name.split("/");
    if (kind === "looks") looks.inc({ outcome: labels[0] }, count);
    else deliveries.inc({ outlet: labels[0], outcome: labels[1] }, count);
  }
  return { contentType: registry.contentType, text: await registry.metrics() };
}
