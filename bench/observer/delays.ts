/** How soon faults are reported: a thousand schedules, with simulated clocks. */
import { START, withWorld } from "../../tests/server/observer/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GRACE_MS = 10 * MINUTE;
/** For this many days the schedules have run before. */
const BEFORE_DAYS = 30;
/** When the faults occur, from the start. */
const FROM_MS = HOUR;
const WITHIN_MS = HOUR;

/** What was reported of schedules that all have a fault. */
export interface Delays {
  /** From due plus grace to the delivery, in ms, for schedules whose run does not start. */
  readonly overdue: readonly number[];
  /** From the end of the run to the delivery, for those whose run fails. */
  readonly failing: readonly number[];
  /** Faults that were not reported or reported twice, and reports without a fault. */
  readonly wrong: readonly string[];
}

/**
 * Half of the schedules miss one run, the others fail once. A third of them are due at the same
 * minute.
 * The looking and the sending loop each rest for a second, and the sending loop is always a second
 * late.
 */
export async function measureDelays(schedules: number): Promise<Delays> {
  const ids = Array.from({ length: schedules }, (_, at) => at + 1);
  const offsetOf = (id: number) => FROM_MS + (id % 3 === 0 ? 0 : id * 389 * MINUTE % WITHIN_MS);
  const planOf = (id: number) => {
    const at = new Date(START + offsetOf(id));
    const cron = [`${at.getUTCMinutes()} ${at.getUTCHours()} * * *`];
    return { cron, zone: "UTC", graceMs: GRACE_MS, since: 0 };
  };
  const knowable = new Map<string, number>();
  const told = new Map<string, number>();
  const wrong: string[] = [];
  await withWorld(ids, async (world) => {
    for (const id of ids) {
      const slot = START + offsetOf(id);
      for (let day = BEFORE_DAYS; day >= 0; day--) {
        const start = slot - day * DAY + (id + day) * 7919 % (30 * SECOND);
        // Short, so that the service lists runs as they start, and no lag is waited for.
        const end = start + SECOND;
        const isFault = day === 0;
        if (isFault && id % 2 === 0) {
          knowable.set(`overdue ${id}`, slot + GRACE_MS);
          continue;
        }
        if (isFault) knowable.set(`failing ${id}`, end);
        const status = isFault ? "failure" : "success";
        world.run(id, start, { endTime: new Date(end).toISOString(), automated: true, status });
      }
    }
    const until = START + FROM_MS + WITHIN_MS + GRACE_MS + 5 * MINUTE;
    while (world.now() < until) {
      await world.observer.lookAtDue();
      world.sleepUntil(world.now() + SECOND);
      await world.observer.sendDue();
      const dues = [
        await world.records.polls.nextDue(),
        await world.records.deliveries.nextDue("webhook"),
      ];
      const next = Math.min(...dues.map((due) => due ?? Infinity));
      // The loops wake at whole seconds.
      world.sleepUntil(Math.max(world.now(), Math.ceil(next / SECOND) * SECOND));
    }
    for (const { at, message: { event: { type, data } } } of world.sent) {
      if (type !== "incident.opened") continue;
      const name = `${data.incident.code} ${data.schedule?.id}`;
      const since = knowable.get(name);
      if (since === undefined || told.has(name)) wrong.push(`told: ${name}`);
      else told.set(name, at - since);
    }
  }, { plans: planOf, real: true });
  wrong.push(...[...knowable.keys()].filter((n) => !told.has(n)).map((n) => `not told: ${n}`));
  const of = (code: string) =>
    [...told].filter(([name]) => name.startsWith(code)).map(([, ms]) => ms).sort((a, b) => a - b);
  return { overdue: of("overdue"), failing: of("failing"), wrong };
}
