/** Corrects times in the future, which were stored before a clock was set back. */
import type { Engine } from "../engine.ts";

/** How far the clocks of instances may differ; also the longest lease. */
export const TOLERANCE_MS = 2 * 60_000;

/** Makes watches and deliveries due now whose times are in the future. */
export async function correctFutureTimes(
  engine: Engine,
  now: number,
  longestWaitMs: number,
): Promise<void> {
  const future = now + TOLERANCE_MS;
  const columns = ["created", "polled", "failing_since"];
  const isAhead = [...columns, "lease_until"].map((name) => `${name} > ?`).join(" OR ");
  await engine.transact([
    {
      text: "UPDATE known_schedules SET due = ?, lease = NULL, lease_until = NULL, " +
        columns.map((name) => `${name} = CASE WHEN ${name} > ? THEN ? ELSE ${name} END`).join(
          ", ",
        ) +
        ` WHERE ${isAhead}`,
      values: [now, ...columns.flatMap(() => [now, now]), future, future, future, future],
    },
    {
      text:
        "UPDATE deliveries SET due = ?, lease = NULL, lease_until = NULL WHERE due IS NOT NULL " +
        "AND (attempts = 0 AND due > ? OR due > ? OR lease_until > ?)",
      values: [now, future, future + longestWaitMs, future],
    },
  ]);
}
