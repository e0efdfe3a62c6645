/**
 * Histories of schedules whose content changes at a known run, or never does: plans, what is usual
 * of their sizes, durations and recipients, and one fault.
 */
import { DAY, MINUTE } from "../../../../lib/time_units.ts";
import type { Recipient, ReportRun } from "../../../../lib/types.ts";
import { slotsOf } from "../runs_at.ts";
import { type Random, randomFrom } from "./random.ts";

/** A history, and the fault that it has. */
export interface ContentHistory {
  readonly usual: string;
  readonly runs: readonly ReportRun[];
  /** Null if nothing changes. */
  readonly fault: ContentFault | null;
}

/** What changes, from which run on. */
interface ContentFault {
  /** The codes by which it may be reported. */
  readonly codes: readonly string[];
  /** The indexes of the first run with it, and of the first one without. */
  readonly first: number;
  readonly end: number;
}

/** When runs are due, and how many there are at least and at most. */
const PLANS: Readonly<Record<string, readonly [cron: string, least: number, most: number]>> = {
  "hourly": ["0 * * * *", 400, 1200],
  "working hours": ["0 7-18 * * 1-5", 300, 1000],
  "every 6 hours": ["0 */6 * * *", 200, 800],
  "twice a day": ["0 8,20 * * *", 120, 500],
  "daily": ["0 6 * * *", 90, 500],
  "weekdays": ["0 6 * * 1-5", 80, 400],
  "weekly": ["0 7 * * 1", 40, 150],
  "monthly": ["0 5 1 * *", 24, 60],
};

const isWeekend = (time: Date) => time.getUTCDay() % 6 === 0;

/** A factor of what is usual at a time; 0 is an empty report. */
type Usual = (random: Random, plan: string) => (time: Date, index: number) => number;

const noise = (random: Random, deviation: number) => Math.exp(random.normal() * deviation);

const USUAL: Readonly<Record<string, Usual>> = {
  "flat": (random) => () => noise(random, 0.02),
  "noisy": (random) => {
    const deviation = 0.1 + random.next() * 0.3;
    return () => noise(random, deviation);
  },
  "growing": (random, plan) => {
    // At most some six times as much by the end.
    const rate = (0.5 + random.next() * 1.3) / PLANS[plan][2];
    return (_, index) => Math.exp(rate * index) * noise(random, 0.05);
  },
  "spiky": (random) => {
    const [share, height] = [0.03 + random.next() * 0.05, 3 + random.next() * 15];
    return () => (random.next() < share ? height : 1) * noise(random, 0.08);
  },
  "two levels": (random) => {
    const [share, height] = [0.25 + random.next() * 0.5, 2 + random.next() * 5];
    return () => (random.next() < share ? height : 1) * noise(random, 0.05);
  },
  "by hour": (random) => {
    const levels = Array.from({ length: 24 }, () => noise(random, 0.9));
    return (time) => levels[time.getUTCHours()] * noise(random, 0.06);
  },
  "by weekday": (random) => {
    const levels = Array.from({ length: 7 }, () => noise(random, 0.7));
    return (time) => levels[time.getUTCDay()] * noise(random, 0.06);
  },
  "by weekend": (random) => {
    const level = 0.1 + random.next() * 0.4;
    return (time) => (isWeekend(time) ? level : 1) * noise(random, 0.08);
  },
  "by month": (random) => {
    const level = 2 + random.next() * 6;
    return (time) => (time.getUTCDate() === 1 ? level : 1) * noise(random, 0.06);
  },
  "empty at times": (random) => {
    const share = 0.04 + random.next() * 0.15;
    return () => random.next() < share ? 0 : noise(random, 0.1);
  },
};

interface Draft {
  time: Date;
  attachment: number;
  text: number;
  ms: number;
  cards: number;
  attachments: number;
  people: Recipient[];
}

interface Fault {
  readonly codes: readonly string[];
  /** Whether the usual content hides it. */
  readonly unless?: readonly string[];
  /** How many runs it lasts, to the end by default. */
  readonly lasts?: readonly [number, number];
  readonly change: (random: Random) => (draft: Draft, since: number) => void;
}

const SIZE = ["size-jump", "empty-delivery"];
const EMPTY = ["empty-delivery"];
const FEWER = ["recipients-dropped"];

type Change = Fault["change"];

/** Multiplies a size or a duration. */
const scaled = (field: "attachment" | "ms", least: number, most: number): Change => (random) => {
  const factor = least + random.next() * (most - least);
  return (draft) => void (draft[field] *= factor);
};
const replaced = (values: Partial<Draft>): Change => () => (draft) =>
  void Object.assign(draft, values);

const FAULTS: Readonly<Record<string, Fault>> = {
  "larger": { codes: SIZE, change: scaled("attachment", 3, 12) },
  "smaller": { codes: SIZE, change: scaled("attachment", 0.1, 0.55) },
  "slower": { codes: ["slower"], change: scaled("ms", 2.2, 10.2) },
  "slower twice": {
    codes: ["slower"],
    change: () => (draft, since) => void (draft.ms *= since < 3 ? 4 : 150),
  },
  "climbing": {
    codes: ["slower"],
    unless: ["two levels", "spiky"],
    change: (random) => {
      const [factor, length] = [2.5 + random.next() * 2, random.between(15, 40)];
      return (draft, since) => void (draft.ms *= factor ** Math.min(1, since / length));
    },
  },
  "no attachment": { codes: EMPTY, change: replaced({ attachment: 0, attachments: 0 }) },
  "attachment of 0 bytes": {
    codes: EMPTY,
    lasts: [1, 6],
    unless: ["empty at times"],
    change: replaced({ attachment: 0 }),
  },
  "no cards": { codes: EMPTY, change: replaced({ cards: 0 }) },
  "nothing in it": {
    codes: EMPTY,
    change: replaced({ attachment: 0, attachments: 0, cards: 0, text: 900, ms: 1000 }),
  },
  "almost empty": { codes: SIZE, lasts: [2, 10], change: replaced({ attachment: 700 }) },
  "half of the people": {
    codes: FEWER,
    change: (random) => {
      const share = 0.2 + random.next() * 0.28;
      return ({ people }) => void people.splice(Math.max(1, Math.floor(people.length * share)));
    },
  },
  "people leave one by one": {
    codes: FEWER,
    change: () => ({ people }, since) => void people.splice(Math.max(3, people.length - since - 1)),
  },
  "nobody": { codes: ["sent-to-nobody"], change: () => (draft) => void (draft.people = []) },
};

function person(userId: number): Recipient {
  return { userId, displayName: `Person ${userId}`, emailAddress: `person${userId}@example.com` };
}

const FITTING: Readonly<Record<string, readonly string[]>> = {
  "by hour": ["hourly", "working hours", "every 6 hours", "twice a day"],
  "by weekday": ["hourly", "every 6 hours", "twice a day", "daily", "weekdays", "working hours"],
  "by weekend": ["hourly", "every 6 hours", "twice a day", "daily"],
  "by month": ["daily", "twice a day"],
};

/** Every plan with what is usual for it, half of them with a fault. */
export function contentHistories(seed: number): ContentHistory[] {
  return Object.keys(PLANS).flatMap((plan) =>
    Object.keys(USUAL).filter((usual) => FITTING[usual]?.includes(plan) ?? true)
      .flatMap((usual) => {
        const kinds = Object.keys(FAULTS).filter((kind) => !FAULTS[kind].unless?.includes(usual));
        return [...kinds, null, null].map((kind) => ({ plan, usual, kind }));
      })
  ).map((choice, number) => contentHistory({ ...choice, seed: seed * 100_003 + number }));
}

/** A history with one fault, or with none. */
export function contentHistory(
  { plan, usual, kind, seed, count: wanted }: {
    readonly plan: string;
    readonly usual: string;
    readonly kind: string | null;
    readonly seed: number;
    readonly count?: number;
  },
): ContentHistory {
  const random = randomFrom(seed);
  const [cron, least, most] = PLANS[plan];
  const count = wanted ?? random.between(least, most);
  const sizes = USUAL[usual](random, plan);
  // Durations follow the same hours and days, and are not empty.
  const timeUsual = usual === "empty at times" || usual === "growing" ? "noisy" : usual;
  const durations = USUAL[timeUsual](random, plan);
  const [bytes, seconds] = [2 ** (13 + random.next() * 9), 3 + random.next() * 200];
  const people = Array.from({ length: random.between(8, 40) }, (_, id) => person(id));
  const fault = kind === null ? null : FAULTS[kind];
  const change = fault?.change(random);
  const first = Math.floor(count * (0.4 + random.next() * 0.4));
  const length = fault?.lasts ? random.between(...fault.lasts) : Infinity;
  let joined = people.length;
  const begin = Date.UTC(2025, 0, 6) - (count % 7) * DAY;
  const due = slotsOf([cron], begin, begin + 6 * 366 * DAY).slice(0, count);
  const runs = due.map((moment, index) => {
    const time = new Date(moment);
    if (random.next() < 0.01) people.push(person(joined++));
    if (people.length > 7 && random.next() < 0.006) people.shift();
    const size = sizes(time, index);
    const draft: Draft = {
      time,
      attachment: size * bytes,
      text: 4000 + 400 * random.next(),
      ms: durations(time, index) * seconds * 1000,
      cards: size === 0 ? 0 : 6,
      attachments: size === 0 ? 0 : 2,
      people: [...people],
    };
    const since = index - first;
    if (since >= 0 && since < length) change?.(draft, since);
    return runOf(index, draft, random);
  });
  const end = Math.min(count, first + length);
  return { usual, runs, fault: fault && { codes: fault.codes, first, end } };
}

function runOf(id: number, draft: Draft, random: Random): ReportRun {
  const start = draft.time.getTime() + random.between(5, 60) * 1000;
  const attachmentSize = Math.round(draft.attachment);
  return {
    id,
    status: "success",
    automated: true,
    startTime: new Date(start).toISOString(),
    // No run goes on when the next one starts.
    endTime: new Date(start + Math.min(50 * MINUTE, Math.max(1000, Math.round(draft.ms))))
      .toISOString(),
    cardCount: draft.cards,
    attachmentCount: draft.attachments,
    attachmentSize,
    emailSize: Math.round(attachmentSize * 1.37 + draft.text),
    recipientCount: draft.people.length,
    recipients: draft.people,
  };
}
