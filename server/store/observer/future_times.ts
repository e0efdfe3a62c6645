/** What was recorded by a clock that has been put back since: it would seem due only much later. */
import type { Engine } from "../engine.ts";

/** By how much the clocks of several instances may differ, and how long leases last at most. */
export const TOLERANCE_MS = 2 * 60_000;

/**
 * Has everything looked at and sent now that was recorded at a time that is still to come.
 *
 * @param longestWaitMs The longest time after which a delivery is tried again.
 */
export async function correctFutureTimes(
  engine: Engine,
  now: number,
  longestWaitMs: number,
): Promise<void> {
  const future = now + TOLERANCE_MS;
  const moments = ["created", "polled", "failing_since"];
  const isAhead = [...moments, "lease_until"].map((name) => `${name} > ?`).join(" OR ");
  await engine.transact([
    {
      text: "UPDATE watches SET due = ?, lease = NULL, lease_until = NULL, " +
        moments.map((name) => `${name} = CASE WHEN ${name} > ? THEN ? ELSE ${name} END`).join(
          ", ",
        ) +
        ` WHERE ${isAhead}`,
      values: [now, ...moments.flatMap(() => [now, now]), future, future, future, future],
    },
    {
      text:
        "UPDATE deliveries SET due = ?, lease = NULL, lease_until = NULL WHERE due IS NOT NULL " +
        "AND (attempts = 0 AND due > ? OR due > ? OR lease_until > ?)",
      values: [now, future, future + longestWaitMs, future],
    },
  ]);
}
