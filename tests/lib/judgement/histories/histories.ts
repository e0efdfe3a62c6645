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
export interface Truth {
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
  /** Codes of reasons that have to be given. */
  readonly reasons: readonly string[];
  /** Codes of reasons that must not be given. */
  readonly noReasons: readonly string[];
}

/** What is done to a plan's runs. */
interface Making {
  readonly random: Random;
  readonly plan: TruePlan;
  /** The shortest time between two planned runs, in milliseconds. */
  readonly gap: number;
}

interface Started {
  readonly due: number;
  start: number;
  status: string;
  automated: boolean;
  seconds: number;
}

type Fault = (history: Draft, making: Making) => void;

interface Draft {
  started: Started[];
  /** Runs beside those that were due. */
  extra: Started[];
  now: number;
  reasons: string[];
  noReasons: string[];
  /** Changes that are made to the finished runs. */
  finish: ((runs: ReportRun[]) => void)[];
  missed: Set<number>;
}

function draftOf(started: Started[], now: number): Draft {
  return { started, extra: [], now, reasons: [], noReasons: [], finish: [], missed: new Set() };
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

const FAULTS: Readonly<Record<string, Fault>> = {
  "nothing": () => {},
  "one missed": (draft, { random }) => {
    const gone = random.between(1, draft.started.length - 2);
    drop(draft, (_, index) => index === gone);
  },
  "some missed": (draft, { random }) => drop(draft, () => random.next() < 0.06),
  "40 % missed": (draft, { random }) => drop(draft, () => random.next() < 0.4),
  "a pause": (draft, { random }) => {
    const length = Math.max(2, Math.round(draft.started.length * 0.12));
    const from = random.between(1, Math.max(1, draft.started.length - length - 2));
    drop(draft, (_, index) => index >= from && index < from + length);
  },
  "holidays": (draft, { random }) => {
    const from = draft.started[random.between(2, Math.floor(draft.started.length / 2))].due;
    drop(draft, ({ due }) => due >= from && due < from + 11 * DAY);
  },
  "retries": (draft, { random, gap }) => {
    for (const started of [...draft.started]) {
      if (random.next() > 0.15 || started === draft.started.at(-1)) continue;
      started.status = "failure";
      const wait = Math.min(random.between(3, 14) * MINUTE, gap / 3);
      draft.extra.push({ ...started, start: started.start + wait, status: "success" });
    }
  },
  "twins": (draft, { random, gap }) => {
    for (const started of draft.started) {
      if (random.next() > 0.2) continue;
      const wait = Math.min(random.between(2, 40) * SECOND, gap / 5);
      draft.extra.push({ ...started, start: started.start + wait });
    }
  },
  "one late": (draft, { random, gap }) => {
    const started = draft.started[random.between(2, draft.started.length - 3)];
    started.start = started.due + Math.min(gap * 0.6, 5 * HOUR);
    draft.noReasons.push("missed");
  },
  "by hand": (draft, { random }) => {
    for (const { due } of [...draft.started]) {
      if (random.next() > 0.3) continue;
      const start = due + random.between(20, 5 * 60) * MINUTE;
      if (start >= draft.now) continue;
      draft.extra.push({ due, start, status: "success", automated: false, seconds: 40 });
    }
  },
  "a clock in 2028": (draft, { random }) => {
    draft.reasons.push("clock");
    draft.finish.push((runs) => {
      const run = { ...runs[random.between(0, runs.length - 1)], id: 1_000_000 };
      const start = Date.UTC(2028, 3, 5, 6);
      runs.push({
        ...run,
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + 30 * SECOND).toISOString(),
      });
    });
  },
  "a clock in 1970": (draft) => {
    draft.reasons.push("clock");
    draft.finish.push((runs) => {
      runs.push({
        ...runs[0],
        id: 999_999,
        startTime: "1970-01-01T00:00:07Z",
        endTime: "1970-01-01T00:00:40Z",
      });
    });
  },
  "ends before starts": (draft, { random }) => {
    draft.reasons.push("clock");
    draft.finish.push((runs) => {
      const at = random.between(1, runs.length - 2);
      const start = Date.parse(runs[at].startTime!);
      runs[at] = { ...runs[at], endTime: new Date(start - 7 * HOUR).toISOString() };
    });
  },
  "failing": (draft, { random }) => {
    const from = draft.started.length - random.between(3, 6);
    draft.started.forEach((started, index) => index >= from && (started.status = "failure"));
    draft.reasons.push("failing");
  },
  "stopped": (draft, { random, plan }) => {
    const missing = random.between(1, Math.max(1, Math.min(5, draft.started.length - 6)));
    draft.started.length -= missing;
    draft.reasons.push("overdue");
    if (plan.days < 0.02) draft.started.length -= 3;
  },
};

/** What is done to the runs of some plans. */
const OTHER_FAULTS: Readonly<Record<string, Fault>> = {
  "some early": (draft, { random }) => {
    for (const started of draft.started) {
      if (random.next() < 0.05) started.start = started.due - random.between(1, 3) * SECOND;
    }
  },
};

/** What is done to daily runs only. */
const DAILY_FAULTS: Readonly<Record<string, Fault>> = {
  "by hand on 50 % of days, unmarked": byHandUnmarked(0.5),
  "by hand on 80 % of days, unmarked": byHandUnmarked(0.8),
  "70 % missed": (draft, { random }) => drop(draft, () => random.next() < 0.7),
};

/** People start a further run at any time of the working day, and nothing says that it was them. */
function byHandUnmarked(share: number): Fault {
  return (draft, { random }) => {
    const alone = new Set<number>();
    for (const { due } of draft.started) {
      const start = due + (2 + 9 * random.next()) * HOUR;
      if (random.next() > share || start >= draft.now) alone.add(due);
      else draft.extra.push({ due, start, status: "success", automated: false, seconds: 40 });
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
  readonly zone: string;
  readonly fault: string;
  readonly jitter: keyof typeof JITTERS;
  readonly count?: number;
  /** When it ends, in milliseconds since 1970. */
  readonly end?: number;
  readonly seed: number;
  /** The plan before, and how many runs followed it. */
  readonly before?: { readonly plan: TruePlan; readonly count: number };
}

/** Makes one history. */
export function makeHistory(order: Order): LabelledHistory {
  const { plan, zone, fault, before } = order;
  const random = randomFrom(order.seed);
  const gap = shortestGap(plan);
  const jitterMs = JITTERS[order.jitter](gap);
  const count = order.count ?? usualCount(plan, random);
  const end = order.end ??
    Date.UTC(2026, 6, 1) + random.between(0, 500) * DAY / 2 + random.between(0, DAY);
  const reach = (plan.days * count * 1.4 + 120 * Math.min(1, plan.days)) * DAY;
  const all = dueMoments(plan, zone, end - reach, end);
  let due = all.slice(-count);
  const changedAt = due[0];
  if (before) {
    const reachBefore = (before.plan.days * before.count * 1.4 + 3) * DAY;
    due = [
      ...dueMoments(before.plan, zone, changedAt - reachBefore, changedAt).slice(-before.count),
      ...due,
    ];
  }
  const started = due.map((moment): Started => ({
    due: moment,
    // Schedulers are a little late mostly, and as late as they can be seldom.
    start: moment +
      jitterMs * (EVEN_JITTERS.includes(order.jitter) ? random.next() : random.next() ** 2),
    status: "success",
    automated: true,
    seconds: 25 + random.between(0, 20),
  }));
  const graceMs = Math.max(5 * MINUTE, jitterMs * 1.1);
  const [nextDue] = dueMoments(plan, zone, due.at(-1)! + 1, due.at(-1)! + 400 * DAY);
  const lastStart = started.at(-1)!.start;
  // Some time between the newest run and the next one.
  const now = Math.floor(
    Math.min(lastStart + 61 * SECOND, nextDue - 1) +
      random.next() * Math.max(0, nextDue - lastStart - 62 * SECOND) * 0.9,
  );
  const draft = draftOf(started, now);
  (FAULTS[fault] ?? OTHER_FAULTS[fault] ?? DAILY_FAULTS[fault])(draft, { random, plan, gap });
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
  const coming = dueMoments(
    plan,
    zone,
    draft.now + 1,
    Math.min(known, draft.now + Math.max(3, plan.days * 6) * DAY),
  );
  return {
    name: [
      plan.name,
      before && `before: ${before.plan.name}`,
      zone,
      fault,
      `jitter ${order.jitter}`,
      `${count} runs`,
    ].filter(Boolean).join(", "),
    runs: finished(draft, random),
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
        "stuck",
        "size-jump",
        "slower",
        "outside-recipient",
        "empty-delivery",
      ],
    },
  };
}

function finished(draft: Draft, random: Random): ReportRun[] {
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
  const end = Date.UTC(2026, 8, 1) + random.between(0, 9 * DAY);
  const starts = NOISES[kind](random, count, end).filter((start) => start < end)
    .sort((a, b) => a - b);
  const started = starts.map((start): Started => ({
    due: start,
    start,
    status: "success",
    automated: true,
    seconds: 30,
  }));
  return {
    name: `noise, ${kind}, ${count} runs, seed ${seed}`,
    runs: finished(draftOf(started, end), random),
    now: end,
    truth: {
      planned: false,
      missed: [],
      overdue: [],
      coming: [],
      graceMs: 0,
      reasons: [],
      noReasons: ["missed", "overdue", "late"],
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
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "America/Los_Angeles",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Europe/London",
  "America/Sao_Paulo",
  "Australia/Sydney",
  "America/Santiago",
] as const;

/** Plans that four to eight runs show. */
const YOUNG = [
  "daily 06:00",
  "daily 23:55",
  "daily 17:42",
  "daily 08:00 and 10:00",
  "daily 06:00 and 18:00",
  "hourly",
  "hourly at 20 past",
  "every 6 hours",
  "Mondays 09:00",
  "Sundays 23:45",
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

/** A plan at another hour. */
function atHour(name: string, hour: number): TruePlan {
  const plan = planNamed(name);
  const cron = plan.cron.map((line) => line.replace(/^\S+ \S+/, `0 ${hour}`));
  return { ...plan, name: `${plan.name}, but at ${hour}:00`, cron };
}

/** A change of plan whose times of day agree with those before in another zone, or in the same. */
const CHANGED_BOTH = [
  ["daily 06:00", 100, "Mondays 09:00", 7, 12, "Europe/Berlin", Date.UTC(2026, 4, 21)],
  ["daily 06:00", 100, "Mondays 09:00", 7, 12, "America/New_York", Date.UTC(2025, 10, 20)],
  ["daily 06:00", 100, "Mondays 09:00", 7, 12, "Pacific/Auckland", Date.UTC(2025, 10, 20)],
  ["Mondays 09:00", 43, "the 1st 06:00", 9, 11, "UTC", Date.UTC(2026, 0, 21)],
  ["Mondays 09:00", 43, "the 1st 06:00", 9, 11, "Asia/Tokyo", Date.UTC(2026, 0, 21)],
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
  "daily 06:00",
  "weekdays 06:30",
  "weekends 11:00",
  "Mondays 09:00",
  "the 1st and 15th 05:00",
  "the third Tuesday 18:00",
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
  return [...makersOf(seed), ...noiseMakersOf(seed)].filter((_, at) => at % every === 0)
    .map((make) => make());
}

/** Histories without any plan. */
export function noiseHistories(seed = 1): LabelledHistory[] {
  return noiseMakersOf(seed).map((make) => make());
}

function makersOf(seed: number): (() => LabelledHistory)[] {
  const random = randomFrom(seed * 7919);
  const orders: Omit<Order, "seed">[] = [];
  for (const plan of PLANS) {
    for (const fault of Object.keys(FAULTS)) {
      const isSeldom = plan.days >= 10;
      if (isSeldom && ["40 % missed", "holidays"].includes(fault)) continue;
      if (plan.days < 0.1 && fault === "holidays") continue;
      const zone = random.next() < 0.25 ? "UTC" : random.pick(ZONES);
      const jitter = fault === "one late" || random.next() < 0.7
        ? "seconds"
        : random.pick(["2 minutes", "8 minutes", "most of an hour"] as const);
      orders.push({ plan, zone, fault, jitter });
    }
  }
  for (const plan of PLANS.filter(({ name }) => YOUNG.includes(name))) {
    const count = random.between(4, 8) * (plan.days === 0.5 ? 2 : 1);
    orders.push({ plan, zone: "UTC", fault: "nothing", jitter: "seconds", count });
  }
  for (const [before, after] of CHANGES) {
    for (const fault of ["nothing", "one missed"]) {
      const [then, plan] = [planNamed(before), planNamed(after)];
      orders.push({
        plan,
        zone: random.pick(ZONES),
        fault,
        jitter: "seconds",
        count: Math.max(9, Math.round(random.between(15, 40) / Math.max(1, plan.days))),
        before: {
          plan: then,
          count: Math.max(5, Math.min(400, Math.round(random.between(20, 60) / then.days))),
        },
      });
    }
  }
  for (const [name, zone, count, end] of CHANGED_CLOCKS) {
    const plan = planNamed(name);
    for (const fault of ["nothing", "some missed"]) {
      orders.push({ plan, zone, fault, jitter: "seconds", count, end });
    }
  }
  for (const [name, earlier, after, hour, count, zone, end] of CHANGED_BOTH) {
    const before = { plan: planNamed(name), count: earlier };
    const plan = atHour(after, hour);
    orders.push({ plan, zone, fault: "nothing", jitter: "seconds", count, end, before });
  }
  for (const fault of Object.keys(DAILY_FAULTS)) {
    for (const count of [60, 100, 200]) {
      const zone = random.pick(ZONES);
      orders.push({ plan: planNamed("daily 06:00"), zone, fault, jitter: "seconds", count });
    }
  }
  for (const [name, cron, count] of MOVED_TIMES) {
    const plan = planNamed(name);
    const before = { plan: { ...plan, name: `${name}, moved`, cron }, count };
    const zone = random.pick(ZONES);
    orders.push({ plan, zone, fault: "nothing", jitter: "seconds", count, before });
  }
  for (const name of LATE_AND_MISSED) {
    const plan = planNamed(name);
    const zone = random.pick(ZONES);
    for (const fault of plan.days < 10 ? ["some missed", "40 % missed"] : ["some missed"]) {
      orders.push({ plan, zone, fault, jitter: "2 hours", count: plan.days < 10 ? 100 : 30 });
    }
  }
  for (const name of SOMETIMES_EARLY) {
    const zone = random.pick(ZONES);
    orders.push({ plan: planNamed(name), zone, fault: "some early", jitter: "seconds" });
  }
  return orders.map((order, at) => () => makeHistory({ ...order, seed: seed * 100_000 + at }));
}

function noiseMakersOf(seed: number): (() => LabelledHistory)[] {
  return (Object.keys(NOISES) as (keyof typeof NOISES)[]).flatMap((kind, place) =>
    Array.from({ length: 8 }, (_, at) => () => makeNoise(kind, seed * 100_000 + place * 100 + at))
  );
}
