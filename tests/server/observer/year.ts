/** A simulated time of many schedules with planted faults, watched by the real code. */
import { DAY, MINUTE } from "../../../lib/time_units.ts";
import { type Plan, planSlots } from "../../../lib/judgement/plans/plan.ts";
import { START, withWorld } from "./world.ts";

/** Polls are rare, so that weeks take seconds. */
export const EVERY = 5 * MINUTE;
/** Runs before the watch begins. */
const BEFORE_DAYS = 30;

/** What went wrong on purpose, and when the observer reported it. */
export interface PlantedFault {
  readonly scheduleId: number;
  readonly code: "failing" | "overdue";
  /** From when it could be known: the end of the failed run, or the slot's. */
  readonly knowable: number;
  sent: number | null;
}

/** What a simulation found. */
export interface YearResult {
  readonly faults: readonly PlantedFault[];
  /** Incidents that nothing was planted for. */
  readonly invented: readonly string[];
  /** Incidents that were sent twice. */
  readonly repeated: readonly string[];
  readonly requests: number;
}

const CRONS = ["0 6 * * *", "30 7 * * 1-5", "0 5 * * 1", "15 22 * * *", "0 8,16 * * *"];

/** Numbers that are the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** So many runs after a fault are well. */
const CALM_RUNS = 20;
/** Days at the end whose faults do not count: they may be sent later. */
const AFTER_DAYS = 2;

/**
 * Watches `schedules` schedules for `days` days, beginning with the id `first`; half of the plans
 * are confirmed, the others inferred.
 */
export async function simulate(
  schedules: number,
  days: number,
  first = 1,
): Promise<YearResult> {
  const ids = Array.from({ length: schedules }, (_, at) => first + at);
  const planOf = (id: number): Plan => ({
    cron: [CRONS[id % CRONS.length]],
    zone: id % 3 === 0 ? "America/New_York" : "Europe/Berlin",
    graceMs: 20 * MINUTE,
    since: 0,
  });
  const random = randomFrom(6 + first);
  const faults: PlantedFault[] = [];
  const result = {
    requests: 0,
    invented: [] as string[],
    repeated: [] as string[],
  };
  await withWorld(ids, async (world) => {
    for (const id of ids) {
      const plan = planOf(id);
      const slots = planSlots(plan, START - BEFORE_DAYS * DAY, START + days * DAY);
      let calmUntil = START + 3 * DAY;
      for (const [at, slot] of slots.entries()) {
        const start = slot + Math.floor(random() * 2 * MINUTE);
        const end = start + 5 * MINUTE + Math.floor(random() * MINUTE);
        const endTime = new Date(end).toISOString();
        const isPlanted = slot > calmUntil && random() < 0.15;
        if (!isPlanted) {
          world.run(id, start, { endTime, automated: true });
          continue;
        }
        // Nothing else for a while, so that each incident has one cause: three failures of 40 runs
        // would also be sent as failing now and then.
        calmUntil = Math.max(slot + 12 * DAY, slots[at + CALM_RUNS] ?? Infinity);
        if (random() < 0.5) {
          world.run(id, start, { endTime, automated: true, status: "failure" });
          faults.push({ scheduleId: id, code: "failing", knowable: end, sent: null });
        } else {
          faults.push({ scheduleId: id, code: "overdue", knowable: slot, sent: null });
        }
      }
    }
    await world.until(START + days * DAY);
    const seen = new Set<string>();
    for (const { at, message: { event: { type, data } } } of world.sent) {
      if (type !== "incident.opened") continue;
      const { code, id } = data.incident;
      const fault = faults.find((each) =>
        each.scheduleId === data.schedule?.id && each.code === code && each.sent === null &&
        at >= each.knowable && at < each.knowable + 8 * DAY
      );
      if (seen.has(id)) result.repeated.push(id);
      seen.add(id);
      if (fault) fault.sent = at;
      else result.invented.push(`${code} ${id}`);
    }
    result.requests = world.requests.length;
  }, { plans: (id) => id % 2 === 0 ? planOf(id) : null, everyMs: EVERY });
  const counted = START + (days - AFTER_DAYS) * DAY;
  return {
    faults: faults.filter(({ knowable, sent }) => sent !== null || knowable < counted),
    ...result,
  };
}
