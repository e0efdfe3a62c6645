/** How many requests per day the observer makes for a watch. */
import { HOUR, MINUTE, START, withWorld } from "../../tests/server/observer/world.ts";

const DAY = 24 * HOUR;
const BEFORE_DAYS = 30;
const SCHEDULES = 3;

/** The requests for a watch in a day, with runs of four to five minutes and no fault. */
export async function requestsPerDay(
  everyMs: number,
  cronAt: (minute: number) => string,
  { isConfirmed, days }: { readonly isConfirmed: boolean; readonly days: number },
): Promise<number> {
  const ids = Array.from({ length: SCHEDULES }, (_, at) => at + 1);
  let spent = 0;
  const planOf = (id: number) => ({
    cron: [cronAt(id * 7)],
    zone: "UTC",
    graceMs: 10 * MINUTE,
    since: 0,
  });
  await withWorld(ids, async (world) => {
    for (const id of ids) {
      const end = START + (days + 1) * DAY;
      const before = everyMs < DAY ? 5 : BEFORE_DAYS;
      for (let at = START - before * DAY + id * 7 * MINUTE; at < end; at += everyMs) {
        const start = at + at / MINUTE * 7919 % 30_000;
        const endTime = new Date(start + 4 * MINUTE + at / MINUTE * 31 % 60_000).toISOString();
        world.run(id, start, { endTime, automated: true });
      }
    }
    // The first day is different: it reads whole histories.
    await world.until(START + DAY);
    const before = world.requests.length;
    await world.until(START + (days + 1) * DAY);
    spent = world.requests.length - before;
    if (world.sent.length > 0) throw new Error(`Told without a fault: ${world.told().join(", ")}`);
  }, { plans: (id) => isConfirmed ? planOf(id) : null, real: true });
  return spent / SCHEDULES / days;
}
