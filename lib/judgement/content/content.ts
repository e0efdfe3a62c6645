/** Judges what runs contained, how long they took and to how many people they went, one by one. */
import type { ReportRun } from "../../types.ts";
import type { TimedRun } from "../../runs/occurrences.ts";
import { clockOf } from "../../runs/zone_clock.ts";
import { emptyOutsiders, type OutsiderMemory, updateOutsiders } from "../../runs/outsiders.ts";
import { type DropMemory, noDrops, readRecipients } from "./drops.ts";
import { copyLevel, emptyLevel, type LevelMemory, readNumber } from "./level.ts";
import { noZeros, readZero, type ZeroMemory } from "./zeros.ts";

/** Numbers that are zero where content is missing. */
export const CONTENT_FIELDS = [
  "cardCount",
  "attachmentCount",
  "attachmentSize",
  "emailSize",
] as const;
export const SIZE_FIELDS = ["attachmentSize", "emailSize"] as const;
/** A report without content may be usual; one without recipients hardly is. */
const CONTENT_ENOUGH = { few: 8, many: 12 };
const PEOPLE_ENOUGH = { few: 2, many: 2 };
/** Shorter runs say nothing of how long runs take. */
const SHORTEST_RUN = 1000;
const HOUR = 3_600_000;
/** A run may be listed this much later than one that ended after it. */
const LISTED_LATE_MS = 6 * HOUR;
/** Changes with what is known. */
export const CONTENT_VERSION = 1;

/** What is known of a schedule's content: plain JSON. */
export interface ContentMemory {
  /** Another one means that it was written by another version of Docket. */
  version: typeof CONTENT_VERSION;
  /** The ids of the newest runs that were read, and when they ended. */
  read: (readonly [id: number, end: number])[];
  until: number;
  zeros: Record<typeof CONTENT_FIELDS[number] | "recipients", ZeroMemory>;
  levels: Record<typeof SIZE_FIELDS[number] | "duration", LevelMemory>;
  recipients: DropMemory;
  outsiders: OutsiderMemory;
}

export function emptyContent(): ContentMemory {
  return {
    version: CONTENT_VERSION,
    read: [],
    until: 0,
    zeros: {
      cardCount: noZeros(),
      attachmentCount: noZeros(),
      attachmentSize: noZeros(),
      emailSize: noZeros(),
      recipients: noZeros(),
    },
    levels: { attachmentSize: emptyLevel(), emailSize: emptyLevel(), duration: emptyLevel() },
    recipients: noDrops(),
    outsiders: emptyOutsiders(),
  };
}

/** Adds newly ended runs to what was known; `before` is not changed. */
export function readContent(
  before: ContentMemory,
  ended: readonly TimedRun<ReportRun>[],
  { now, zone }: { readonly now: number; readonly zone: string },
): ContentMemory {
  const read = new Set(before.read.map(([id]) => id));
  const endOf = ({ time, ms = 0 }: TimedRun<ReportRun>) => time + Math.max(0, ms);
  // An end that is still to come is wrong, or not known yet.
  const unread = ended.filter((one) => {
    const end = endOf(one);
    return end <= now && end >= before.until - LISTED_LATE_MS && !read.has(one.run.id);
  }).sort((a, b) => endOf(a) - endOf(b) || a.run.id - b.run.id);
  if (unread.length === 0) return before;
  const memory = copyOf(before);
  const hours = hoursOf(unread, zone);
  for (const [at, one] of unread.entries()) readRun(memory, one, hours[at]);
  memory.until = Math.max(before.until, endOf(unread.at(-1)!));
  memory.read = [...before.read, ...unread.map((one) => [one.run.id, endOf(one)] as const)]
    .filter(([, end]) => end >= memory.until - LISTED_LATE_MS);
  return memory;
}

/** A copy that can be changed; the generic one takes ten times as long. */
function copyOf(known: ContentMemory): ContentMemory {
  const { zeros, levels, recipients, outsiders } = known;
  const each = <Value, Name extends string>(
    values: Record<Name, Value>,
    copy: (value: Value) => Value,
  ) =>
    Object.fromEntries(
      Object.entries<Value>(values).map(([name, value]) => [name, copy(value)]),
    ) as Record<Name, Value>;
  return {
    ...known,
    zeros: each(zeros, ({ row, ...rest }) => ({ ...rest, row: row && { ...row } })),
    levels: each(levels, copyLevel),
    recipients: {
      ...recipients,
      counts: [...recipients.counts],
      few: [...recipients.few],
      drop: recipients.drop && { ...recipients.drop },
    },
    outsiders: {
      ...outsiders,
      domains: { ...outsiders.domains },
      privates: { ...outsiders.privates },
      outsiders: [...outsiders.outsiders],
    },
  };
}

function hoursOf(runs: readonly TimedRun<ReportRun>[], zone: string): ArrayLike<number> {
  // The zone's clock takes sorted times.
  const order = runs.map((_, at) => at).sort((a, b) => runs[a].time - runs[b].time);
  const local = clockOf(zone).toLocal(order.map((at) => runs[at].time));
  const hours = new Float64Array(runs.length);
  for (const [place, at] of order.entries()) hours[at] = Math.floor(local[place] / HOUR);
  return hours;
}

function readRun(
  memory: ContentMemory,
  { run, time, ms, meaning }: TimedRun<ReportRun>,
  hour: number,
): void {
  const { id } = run;
  const isGood = meaning === "good";
  for (const field of isGood ? CONTENT_FIELDS : []) {
    const value = run[field];
    if (typeof value === "number") {
      readZero(memory.zeros[field], { id, time, value }, CONTENT_ENOUGH);
    }
  }
  for (const field of SIZE_FIELDS) {
    const size = run[field] ?? 0;
    if (size <= 0) continue;
    readNumber(memory.levels[field], { id, time, hour, number: Math.log2(size) }, {
      mayClimb: false,
    });
  }
  if (isGood && ms !== undefined && ms >= SHORTEST_RUN) {
    readNumber(memory.levels.duration, { id, time, hour, number: Math.log2(ms) }, {
      mayClimb: true,
    });
  }
  updateOutsiders(memory.outsiders, run, time);
  const count = run.recipientCount ?? run.recipients?.length;
  if (count === undefined) return;
  readZero(memory.zeros.recipients, { id, time, value: count }, PEOPLE_ENOUGH);
  // A person who starts a run may send it to fewer people.
  if (count > 0 && run.automated !== false) readRecipients(memory.recipients, { id, time, count });
}
