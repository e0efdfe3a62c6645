/**
 * Histories of schedules with the truth known before: what was due, what did not run, what comes
 * next. They are made from plans, not from the code that judges them, and are the same each time.
 */
import { DAY, HOUR, MINUTE, SECOND } from "../../../../lib/time_units.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { clockChange, dueMoments, planNamed, PLANS, shortestGap, type TruePlan } from "./plans.ts";
import { type Random, randomFrom } from "./random.ts";

/** A history, and what is true of it. */
export interface LabelledHistory {
  readonly name: string;
  readonly runs: readonly ReportRun[];
  readonly now: number;
  readonly truth: Truth;
}

/** What is true of a history. */
interface Truth {
  /** Whether there is a plan at all. */
  readonly planned: boolean;
  /** Due between the first and the newest run, and did not run. The oldest first. */
  readonly missed: readonly number[];
  /** Due after the newest run, and did not run although the grace is over. */
  readonly overdue: readonly number[];
  /** When it is due after `now`, by which to compare plans. */
  readonly coming: readonly number[];
  /** How late a run may be, in milliseconds: what the scheduler's own lateness makes fair. */
  readonly graceMs: number;
  /** Codes of the reasons that it must have. */
  readonly reasons: readonly string[];
  /** Codes of the reasons that it must not have. */
  readonly noReasons: readonly string[];
}

interface Started {
  readonly due: number;
  start: number;
  status: string;
  automated: boolean;
  seconds: number;
}

/** A history that is being made, which faults change. */
interface Draft {
  readonly random: Random;
  readonly plan: TruePlan;
  /** The shortest time between two planned runs, in milliseconds. */
  readonly gap: number;
  started: Started[];
  extra: Started[];
  now: number;
  reasons: string[];
  noReasons: string[];
  /** Changes that are made to the finished runs. */
  finish: ((runs: ReportRun[]) => void)[];
  missed: Set<number>;
}

type Fault = (draft: Draft) => void;

function draftOf(facts: Pick<Draft, "random" | "plan" | "gap" | "started" | "now">): Draft {
  return { ...facts, extra: [], reasons: [], noReasons: [], finish: [], missed: new Set() };
}

/** An automated run that succeeds. */
function startedAt(due: number, start: number, seconds: number): Started {
  return { due, start, status: "success", automated: true, seconds };
}

function drop(draft: Draft, isDropped: (started: Started, index: number) => boolean): void {
  const last = draft.started.length - 1;
  draft.started = draft.started.filter((started, index) => {
    // The first and the last run stay: what is missed lies between runs.
    const gone = index > 0 && index < last && isDropped(started, index);
    if (gone) draft.missed.add(started.due);
    return !gone;
  });
  if (draft.missed.size > 0 && !draft.reasons.includes("missed")) draft.reasons.push("missed");
}

/** Each run is missed with a probability. */
const missing = (share: number): Fault => (draft) => drop(draft, () => draft.random.next() < share);

/** A further run starts at a time that can't be. */
const impossible = (start: number): Fault => (draft) => {
  draft.reasons.push("clock");
  draft.finish.push((runs) => {
    const [startTime, endTime] = [start, start + 30 * SECOND].map((at) =>
      new Date(at).toISOString()
    );
    runs.push({ ...draft.random.pick(runs), id: 1_000_000, startTime, endTime });
  });
};

const FAULTS: Readonly<Record<string, Fault>> = {
  "nothing": () => {},
  "one missed": (draft) => {
    const gone = draft.random.between(1, draft.started.length - 2);
    drop(draft, (_, index) => index === gone);
  },
  "some missed": missing(0.06),
  "40 % missed": missing(0.4),
  "a pause": (draft) => {
    const length = Math.max(2, Math.round(draft.started.length * 0.12));
    const from = draft.random.between(1, Math.max(1, draft.started.length - length - 2));
    drop(draft, (_, index) => index >= from && index < from + length);
  },
  "holidays": (draft) => {
    const { started, random } = draft;
    const from = started[random.between(2, Math.floor(started.length / 2))].due;
    drop(draft, ({ due }) => due >= from && due < from + 11 * DAY);
  },
  "retries": ({ started, extra, random, gap }) => {
    for (const run of started) {
      if (random.next() > 0.15 || run === started.at(-1)) continue;
      run.status = "failure";
      const wait = Math.min(random.between(3, 14) * MINUTE, gap / 3);
      extra.push({ ...run, start: run.start + wait, status: "success" });
    }
  },
  "twins": ({ started, extra, random, gap }) => {
    for (const run of started) {
      if (random.next() > 0.2) continue;
      const wait = Math.min(random.between(2, 40) * SECOND, gap / 5);
      extra.push({ ...run, start: run.start + wait });
    }
  },
  "one late": ({ started, noReasons, random, gap }) => {
    const run = started[random.between(2, started.length - 3)];
    run.start = run.due + Math.min(gap * 0.6, 5 * HOUR);
    noReasons.push("missed");
  },
  "by hand": ({ started, extra, now, random }) => {
    for (const { due } of started) {
      if (random.next() > 0.3) continue;
      const start = due + random.between(20, 5 * 60) * MINUTE;
      if (start < now) extra.push({ ...startedAt(due, start, 40), automated: false });
    }
  },
  "a clock in 2028": impossible(Date.UTC(2028, 3, 5, 6)),
  "a clock in 1970": impossible(7 * SECOND),
  "ends before starts": ({ reasons, finish, random }) => {
    reasons.push("clock");
    finish.push((runs) => {
      const at = random.between(1, runs.length - 2);
      const start = Date.parse(runs[at].startTime!);
      runs[at] = { ...runs[at], endTime: new Date(start - 7 * HOUR).toISOString() };
    });
  },
  "failing": ({ started, reasons, random }) => {
    for (const run of started.slice(-random.between(3, 6))) run.status = "failure";
    reasons.push("failing");
  },
  "stopped": ({ started, reasons, random, plan }) => {
    started.length -= random.between(1, Math.max(1, Math.min(5, started.length - 6)));
    if (plan.days < 0.02) started.length -= 3;
    reasons.push("overdue");
  },
};

/** What is done to the runs of some plans only. */
const RARE_FAULTS: Readonly<Record<string, Fault>> = {
  "some early": ({ started, random }) => {
    for (const run of started) {
      if (random.next() < 0.05) run.start = run.due - random.between(1, 3) * SECOND;
    }
  },
  "70 % missed": missing(0.7),
  "by hand on 50 % of days, unmarked": byHandUnmarked(0.5),
  "by hand on 80 % of days, unmarked": byHandUnmarked(0.8),
};

/** People start a further run at any time of the working day, and nothing says that it was them. */
function byHandUnmarked(share: number): Fault {
  return (draft) => {
    const { random } = draft;
    const alone = new Set<number>();
    for (const { due } of draft.started) {
      const start = due + (2 + 9 * random.next()) * HOUR;
      if (random.next() > share || start >= draft.now) alone.add(due);
      else draft.extra.push(startedAt(due, start, 40));
    }
    // Where a run by hand follows, a run that is missing looks late.
    drop(draft, ({ due }) => alone.has(due) && random.next() < 0.1);
    draft.finish.push((runs) => runs.forEach((run, at) => runs[at] = { ...run, automated: null }));
  };
}

/** How late the scheduler starts runs, at most. */
const JITTERS = {
  "seconds": () => 20 * SECOND,
  "2 minutes": (gap: number) => Math.min(2 * MINUTE, gap / 3),
  "8 minutes": (gap: number) => Math.min(8 * MINUTE, gap / 2.5),
  "most of an hour": (gap: number) => Math.min(55 * MINUTE, gap * 0.9),
  "2 hours": (gap: number) => Math.min(2 * HOUR, gap * 0.9),
} as const;

/** Of these, any lateness is as likely as any other. */
const EVEN_JITTERS: readonly (keyof typeof JITTERS)[] = ["most of an hour", "2 hours"];

/** How many runs a history has where nothing else is asked for. */
function usualCount(plan: TruePlan, random: Random): number {
  if (plan.days < 0.02) return random.between(400, 1000);
  if (plan.days < 0.3) return random.between(200, 600);
  if (plan.days < 3) return random.between(50, 300);
  if (plan.days < 10) return random.between(20, 80);
  if (plan.days < 60) return random.between(10, 30);
  return random.between(8, 14);
}

interface Order {
  readonly plan: TruePlan;
  /** UTC by default. */
  readonly zone?: string;
  /** None by default. */
  readonly fault?: string;
  /** Some seconds by default. */
  readonly jitter?: keyof typeof JITTERS;
  readonly count?: number;
  /** When it ends, in milliseconds since 1970. */
  readonly end?: number;
  readonly seed: number;
  /** The plan before, and how many runs followed it. */
  readonly before?: { readonly plan: TruePlan; readonly count: number };
}

/** What no labelled history has. */
const NEVER_SHOWN = ["stuck", "size-jump", "slower", "outside-recipient", "empty-delivery"];

/** Makes one history. */
export function makeHistory(order: Order): LabelledHistory {
  const { plan, zone = "UTC", fault = "nothing", jitter = "seconds", before } = order;
  const random = randomFrom(order.seed);
  const gap = shortestGap(plan);
  const jitterMs = JITTERS[jitter](gap);
  const count = order.count ?? usualCount(plan, random);
  const end = order.end ??
    Date.UTC(2026, 6, 1) + random.between(0, 500) * DAY / 2 + random.between(0, DAY);
  const reach = (plan.days * count * 1.4 + 120 * Math.min(1, plan.days)) * DAY;
  const all = dueMoments(plan, zone, end - reach, end);
  let due = all.slice(-count);
  const changedAt = due[0];
  if (before) {
    const reachBefore = (before.plan.days * before.count * 1.4 + 3) * DAY;
    const earlier = dueMoments(before.plan, zone, changedAt - reachBefore, changedAt);
    due = [...earlier.slice(-before.count), ...due];
  }
  const started = due.map((moment) => {
    // Schedulers are a little late mostly, and as late as they can be seldom.
    const late = EVEN_JITTERS.includes(jitter) ? random.next() : random.next() ** 2;
    return startedAt(moment, moment + jitterMs * late, random.between(25, 45));
  });
  const graceMs = Math.max(5 * MINUTE, jitterMs * 1.1);
  const [nextDue] = dueMoments(plan, zone, due.at(-1)! + 1, due.at(-1)! + 400 * DAY);
  const lastStart = started.at(-1)!.start;
  // Some time between the newest run and the next one.
  const now = Math.floor(
    Math.min(lastStart + 61 * SECOND, nextDue - 1) +
      random.next() * Math.max(0, nextDue - lastStart - 62 * SECOND) * 0.9,
  );
  const draft = draftOf({ random, plan, gap, started, now });
  (FAULTS[fault] ?? RARE_FAULTS[fault])(draft);
  const newest = Math.max(...draft.started.map(({ due }) => due));
  const overdue = due.filter((moment) => moment > newest && moment + graceMs < draft.now);
  // Whether what is due just now is over is nobody's to say.
  if (fault === "stopped" && overdue.length === 0) {
    draft.now = due.find((moment) => moment > newest)! + graceMs + 10 * MINUTE;
    overdue.push(...due.filter((moment) => moment > newest && moment + graceMs < draft.now));
  }
  // Runs that saw no clock change don't show what will be after one.
  const known = clockChange(zone, changedAt, newest) === undefined
    ? clockChange(zone, newest, draft.now + 400 * DAY) ?? Infinity
    : Infinity;
  const comingEnd = Math.min(known, draft.now + Math.max(3, plan.days * 6) * DAY);
  const coming = dueMoments(plan, zone, draft.now + 1, comingEnd);
  return {
    name: `${plan.name}, ${before ? `before: ${before.plan.name}, ` : ""}${zone}, ${fault}, ` +
      `jitter ${jitter}, ${count} runs`,
    runs: finished(draft),
    now: draft.now,
    truth: {
      planned: true,
      missed: [...draft.missed].sort((a, b) => a - b),
      overdue,
      coming,
      graceMs,
      reasons: draft.reasons,
      noReasons: [
        ...draft.noReasons,
        ...(draft.missed.size === 0 ? ["missed"] : []),
        ...(overdue.length === 0 ? ["overdue"] : []),
        ...NEVER_SHOWN,
      ],
    },
  };
}

function finished(draft: Draft): ReportRun[] {
  const { random } = draft;
  const all = [...draft.started, ...draft.extra]
    .filter(({ start }) => start < draft.now)
    .sort((a, b) => a.start - b.start);
  const runs = all.map((started, index): ReportRun => {
    const failed = started.status === "failure";
    return {
      id: 5000 + index,
      startTime: new Date(Math.round(started.start)).toISOString(),
      endTime: new Date(Math.round(started.start) + started.seconds * SECOND).toISOString(),
      automated: started.automated,
      status: started.status,
      cardCount: 4,
      attachmentCount: failed ? 0 : 1,
      attachmentSize: failed ? 0 : Math.round(200_000 * Math.exp(0.1 * random.normal())),
      emailSize: failed ? 0 : Math.round(30_000 * Math.exp(0.05 * random.normal())),
      recipientCount: 2,
      recipients: [
        { userId: 1, displayName: "Ada", emailAddress: "ada@example.com" },
        { userId: 2, displayName: "Ben", emailAddress: "ben@example.com" },
      ],
    };
  });
  for (const change of draft.finish) change(runs);
  return runs;
}

/** Runs without any plan. */
function makeNoise(kind: keyof typeof NOISES, seed: number): LabelledHistory {
  const random = randomFrom(seed);
  const count = random.pick([6, 12, 25, 60, 150]);
  const now = Date.UTC(2026, 8, 1) + random.between(0, 9 * DAY);
  const started = NOISES[kind](random, count, now).filter((start) => start < now)
    .sort((a, b) => a - b).map((start) => startedAt(start, start, 30));
  return {
    name: `noise, ${kind}, ${count} runs, seed ${seed}`,
    runs: finished(draftOf({ random, plan: PLANS[0], gap: 0, started, now })),
    now,
    truth: {
      ...{ planned: false, missed: [], overdue: [], coming: [], graceMs: 0 },
      ...{ reasons: [], noReasons: ["missed", "overdue", "late"] },
    },
  };
}

const NOISES = {
  "at any time": (random: Random, count: number, end: number) =>
    Array.from({ length: count }, () => end - random.next() * count * 0.8 * DAY),
  "some a day": (random: Random, count: number, end: number) =>
    Array.from({ length: count }, () => end - random.next() * count * 0.2 * DAY),
  "in bursts": (random: Random, count: number, end: number) =>
    Array.from({ length: Math.ceil(count / 5) }, () => end - random.next() * count * DAY)
      .flatMap((from) => Array.from({ length: 5 }, () => from + random.next() * 4 * HOUR)),
  "waiting times of every length": (random: Random, count: number, end: number) => {
    let time = end;
    return Array.from({ length: count }, () => time -= HOUR * Math.exp(2 + 1.5 * random.normal()));
  },
  "by day": (random: Random, count: number, end: number) =>
    Array.from({ length: count }, () => {
      const day = Math.floor(end / DAY) - 1 - random.between(0, Math.ceil(count * 0.7));
      return day * DAY + (7 + random.next() * 11) * HOUR;
    }),
} as const;

/** Zones of histories; where no zone is given to what judges, it has to find out by itself. */
export const ZONES = [
  ...["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland"],
  ...["America/Los_Angeles", "Asia/Kolkata", "Asia/Tokyo", "Europe/London", "America/Sao_Paulo"],
  ...["Australia/Sydney", "America/Santiago"],
];

/** Plans that four to eight runs show. */
const YOUNG = [
  ...["daily 06:00", "daily 23:55", "daily 17:42", "daily 08:00 and 10:00"],
  ...["daily 06:00 and 18:00", "hourly", "hourly at 20 past", "every 6 hours"],
  ...["Mondays 09:00", "Sundays 23:45"],
];

const CHANGES = [
  ["hourly", "daily 06:00"],
  ["daily 06:00", "Mondays 09:00"],
  ["daily 06:00", "daily 17:42"],
  ["daily 06:00", "weekdays 07:00"],
  ["weekdays 06:30", "daily 06:00"],
  ["daily 08:00 and 10:00", "daily 06:00"],
  ["every 15 minutes", "hourly"],
  ["daily 06:00", "daily 06:00 and 18:00"],
  ["Mondays 09:00", "Tuesdays and Thursdays 08:00"],
] as const;

/** A clock change that only runs long ago saw. */
const CHANGED_CLOCKS = [
  ["every 6 hours", "Europe/Berlin", 1000, Date.UTC(2026, 7, 20)],
  ["daily 08:00 and 10:00", "Europe/Berlin", 1000, Date.UTC(2026, 8, 30)],
  ["hourly 07:00 to 18:00 on weekdays", "America/New_York", 1200, Date.UTC(2026, 5, 20)],
  ["hourly", "Australia/Lord_Howe", 1100, Date.UTC(2026, 3, 25)],
] as const;

/** A change of plan whose times of day agree with those before in another zone, or in the same. */
const CHANGED_BOTH = [
  ["daily 06:00", 100, "0 7 * * 1", 12, "Europe/Berlin", Date.UTC(2026, 4, 21)],
  ["daily 06:00", 100, "0 7 * * 1", 12, "America/New_York", Date.UTC(2025, 10, 20)],
  ["daily 06:00", 100, "0 7 * * 1", 12, "Pacific/Auckland", Date.UTC(2025, 10, 20)],
  ["Mondays 09:00", 43, "0 9 1 * *", 11, "UTC", Date.UTC(2026, 0, 21)],
  ["Mondays 09:00", 43, "0 9 1 * *", 11, "Asia/Tokyo", Date.UTC(2026, 0, 21)],
] as const;

/** Plans, what they were before with other times, and for how many runs. */
const MOVED_TIMES = [
  ["weekdays 08:00 and 16:00", ["50 5 * * 1-5", "25 14 * * 1-5"], 240],
  ["weekdays 08:00 and 16:00", ["55 8 * * 1-5", "0 16 * * 1-5"], 100],
  ["daily 06:00 and 18:00", ["45 8 * * *", "50 13 * * *"], 90],
  ["the first business day 08:00", ["25 9 1W * *"], 14],
  ["the 1st and 15th 05:00", ["35 4 1,15 * *"], 20],
] as const;

/** Plans whose runs start at any time within two hours, while some are missed. */
const LATE_AND_MISSED = [
  ...["daily 06:00", "weekdays 06:30", "weekends 11:00", "Mondays 09:00"],
  ...["the 1st and 15th 05:00", "the third Tuesday 18:00"],
];

/** Plans whose runs are sometimes early by seconds. */
const SOMETIMES_EARLY = [
  "every 12 minutes from 8 past",
  "every 10 minutes 08:00 to 18:50, Mondays to Saturdays",
  "hourly at 20 past",
  "daily 17:42",
  "Mondays 09:00",
  "the last business day 17:00",
];

/**
 * Labelled histories: every plan with every fault that suits it, in turn over zones and lateness,
 * young ones, changes of plan, and noise.
 *
 * @param seed Another number makes other histories.
 * @param every Makes only each nth of them.
 */
export function labelledHistories(seed = 1, every = 1): LabelledHistory[] {
  const orders = ordersOf(randomFrom(seed * 7919))
    .map((order, at) => () => makeHistory({ ...order, seed: seed * 100_000 + at }));
  return [...orders, ...noiseOrders(seed)].filter((_, at) => at % every === 0)
    .map((make) => make());
}

/** Histories without any plan. */
export function noiseHistories(seed = 1): LabelledHistory[] {
  return noiseOrders(seed).map((make) => make());
}

const DAILY = planNamed("daily 06:00");

function ordersOf(random: Random): Omit<Order, "seed">[] {
  const zone = () => random.pick(ZONES);
  const suits = (fault: string, { days }: TruePlan) =>
    fault === "holidays" ? days >= 0.1 && days < 10 : fault !== "40 % missed" || days < 10;
  return [
    ...PLANS.flatMap((plan) =>
      Object.keys(FAULTS).filter((fault) => suits(fault, plan)).map((fault) => ({
        plan,
        zone: random.next() < 0.25 ? "UTC" : zone(),
        fault,
        jitter: fault === "one late" || random.next() < 0.7
          ? undefined
          : random.pick(["2 minutes", "8 minutes", "most of an hour"] as const),
      }))
    ),
    ...PLANS.filter(({ name }) => YOUNG.includes(name)).map((plan) => ({
      plan,
      count: random.between(4, 8) * (plan.days === 0.5 ? 2 : 1),
    })),
    ...CHANGES.flatMap((names) =>
      ["nothing", "one missed"].map((fault) => {
        const [earlier, plan] = names.map(planNamed);
        return {
          plan,
          zone: zone(),
          fault,
          count: Math.max(9, Math.round(random.between(15, 40) / Math.max(1, plan.days))),
          before: {
            plan: earlier,
            count: Math.max(5, Math.min(400, Math.round(random.between(20, 60) / earlier.days))),
          },
        };
      })
    ),
    ...CHANGED_CLOCKS.flatMap(([name, zone, count, end]) => {
      const order = { plan: planNamed(name), zone, count, end };
      return [order, { ...order, fault: "some missed" }];
    }),
    ...CHANGED_BOTH.map(([name, earlier, cron, count, zone, end]) => ({
      plan: { name: cron, days: cron.endsWith("1") ? 7 : 30, cron: [cron] },
      zone,
      count,
      end,
      before: { plan: planNamed(name), count: earlier },
    })),
    ...["by hand on 50 % of days, unmarked", "by hand on 80 % of days, unmarked", "70 % missed"]
      .flatMap((fault) =>
        [60, 100, 200].map((count) => ({ plan: DAILY, zone: zone(), fault, count }))
      ),
    ...MOVED_TIMES.map(([name, cron, count]) => {
      const plan = planNamed(name);
      const before = { plan: { ...plan, name: `${name}, moved`, cron }, count };
      return { plan, zone: zone(), count, before };
    }),
    ...LATE_AND_MISSED.map(planNamed).flatMap((plan) => {
      const order = {
        plan,
        zone: zone(),
        jitter: "2 hours",
        count: plan.days < 10 ? 100 : 30,
      } as const;
      return ["some missed", "40 % missed"].filter((fault) => suits(fault, plan))
        .map((fault) => ({ ...order, fault }));
    }),
    ...SOMETIMES_EARLY.map((name) => ({
      plan: planNamed(name),
      zone: zone(),
      fault: "some early",
    })),
  ];
}

function noiseOrders(seed: number): (() => LabelledHistory)[] {
  return (Object.keys(NOISES) as (keyof typeof NOISES)[]).flatMap((kind, place) =>
    Array.from({ length: 8 }, (_, at) => () => makeNoise(kind, seed * 100_000 + place * 100 + at))
  );
}
