/** Follows what runs contained, how long they took and to whom they went, one run at a time. */
import { HOUR } from "../../time_units.ts";
import type { ReportRun } from "../../types.ts";
import type { TimedRun } from "../../runs/occurrences.ts";
import { clockOf } from "../../zone_clock.ts";
import { emptyOutsiders, type OutsiderMemory, updateOutsiders } from "../../runs/outsiders.ts";
import { type DropMemory, emptyDrop, updateDrop } from "./drops.ts";
import { updateLevel } from "./level.ts";
import { copyLevel, emptyLevel, type LevelMemory } from "./level_memory.ts";
import { emptyZeros, updateZeros, type ZeroMemory } from "./zeros.ts";
import { countRecipients } from "../../runs/recipients.ts";

/** The fields that are zero if content is missing. */
export const CONTENT_FIELDS = [
  "cardCount",
  "attachmentCount",
  "attachmentSize",
  "emailSize",
] as const;
export const SIZE_FIELDS = ["attachmentSize", "emailSize"] as const;
/** Reports without content may be usual; reports without recipients hardly are. */
const CONTENT_ENOUGH = { few: 8, many: 12 };
const PEOPLE_ENOUGH = { few: 2, many: 2 };
/** Shorter runs show nothing about usual durations. */
const SHORTEST_RUN = 1000;
/** A run may be listed this much later than one that ended after it. */
const LISTED_LATE_MS = 6 * HOUR;
/** The version of {@linkcode ContentMemory}: it increases when that changes. */
export const CONTENT_VERSION = 3;

/** What is known of a schedule's content: plain JSON. */
export interface ContentMemory {
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
      cardCount: emptyZeros(),
      attachmentCount: emptyZeros(),
      attachmentSize: emptyZeros(),
      emailSize: emptyZeros(),
      recipients: emptyZeros(),
    },
    levels: { attachmentSize: emptyLevel(), emailSize: emptyLevel(), duration: emptyLevel() },
    recipients: emptyDrop(),
    outsiders: emptyOutsiders(),
  };
}

/** Adds newly ended runs to what was known; `before` is not changed. */
export function updateContent(
  before: ContentMemory,
  ended: readonly TimedRun<ReportRun>[],
  { now, zone }: { readonly now: number; readonly zone: string },
): ContentMemory {
  const read = new Set(before.read.map(([id]) => id));
  const endOf = ({ time, ms = 0 }: TimedRun<ReportRun>) => time + Math.max(0, ms);
  // An end in the future is wrong, or not known yet.
  const unread = ended.filter((timedRun) => {
    const end = endOf(timedRun);
    return end <= now && end >= before.until - LISTED_LATE_MS && !read.has(timedRun.run.id);
  }).sort((a, b) => endOf(a) - endOf(b) || a.run.id - b.run.id);
  if (unread.length === 0) return before;
  const memory = copyOf(before);
  const hours = hoursOf(unread, zone);
  for (const [index, timedRun] of unread.entries()) addRun(memory, timedRun, hours[index]);
  memory.until = Math.max(before.until, endOf(unread.at(-1)!));
  const added = unread.map((timedRun) => [timedRun.run.id, endOf(timedRun)] as const);
  memory.read = [...before.read, ...added]
    .filter(([, end]) => end >= memory.until - LISTED_LATE_MS);
  return memory;
}

/** A copy that can be changed; `structuredClone` takes ten times as long. */
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
    zeros: each(zeros, ({ streak, ...rest }) => ({ ...rest, streak: streak && { ...streak } })),
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
  // The zone's clock needs sorted times.
  const order = runs.map((_, index) => index).sort((a, b) => runs[a].time - runs[b].time);
  const local = clockOf(zone).toLocal(order.map((index) => runs[index].time));
  const hours = new Float64Array(runs.length);
  for (const [at, index] of order.entries()) hours[index] = Math.floor(local[at] / HOUR);
  return hours;
}

function addRun(
  memory: ContentMemory,
  { run, time, ms, meaning }: TimedRun<ReportRun>,
  hour: number,
): void {
  const { id } = run;
  const isGood = meaning === "good";
  for (const field of isGood ? CONTENT_FIELDS : []) {
    const value = run[field];
    if (typeof value === "number") {
      updateZeros(memory.zeros[field], { id, time, value }, CONTENT_ENOUGH);
    }
  }
  // Without its attachments, an email is smaller: that is no change of its own.
  for (const field of memory.zeros.attachmentSize.streak ? [] : SIZE_FIELDS) {
    const size = run[field] ?? 0;
    if (size > 0) {
      updateLevel(memory.levels[field], { id, time, hour, number: Math.log2(size) });
    }
  }
  if (isGood && ms !== undefined && ms >= SHORTEST_RUN) {
    const number = Math.log2(ms);
    updateLevel(memory.levels.duration, { id, time, hour, number }, { mayClimb: true });
  }
  updateOutsiders(memory.outsiders, run, time);
  const count = countRecipients(run);
  if (count === null) return;
  updateZeros(memory.zeros.recipients, { id, time, value: count }, PEOPLE_ENOUGH);
  // A person who starts a run may send it to fewer people.
  if (count > 0 && run.automated !== false) updateDrop(memory.recipients, { id, time, count });
}
