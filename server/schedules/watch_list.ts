/** The watch list: ids of report schedules, in a link, in a form and in the preferences. */
import { formatCount } from "../../lib/format.ts";
import { MAX_WATCHED_SCHEDULES } from "./preferences.ts";
import { readScheduleId } from "../http/schedule_id.ts";

/** The ids in a list such as `101, 105 110-112`, and what could not be read. */
export interface ParsedScheduleIds {
  /** The ids, each once, at most {@linkcode MAX_WATCHED_SCHEDULES}. */
  readonly ids: readonly number[];
  /** The parts that are not schedule ids or ranges of them. */
  readonly invalid: readonly string[];
  /** The number of ids above the maximum. */
  readonly dropped: number;
}

/** Parses ids and ranges, separated by commas, semicolons or spaces. */
export function parseScheduleIds(text: string): ParsedScheduleIds {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "")
    .map((part) => ({ part, ids: idsOf(part) }));
  const ids = [...new Set(parts.flatMap(({ ids }) => ids))];
  return {
    ids: ids.slice(0, MAX_WATCHED_SCHEDULES),
    invalid: parts.filter(({ ids }) => ids.length === 0).map(({ part }) => part),
    dropped: Math.max(0, ids.length - MAX_WATCHED_SCHEDULES),
  };
}

/** The longest range, so that a typo does not become millions of ids. */
const MAX_RANGE = 1000;

/** What a range must be, in a sentence. */
export const RANGE_RULE = `A range is such as 101-112: it goes up, and has at most ${
  formatCount(MAX_RANGE)
} ids.`;

/** The ids of one part: a single id, or a range such as `101-112`. */
function idsOf(part: string): readonly number[] {
  const id = readScheduleId(part);
  if (id !== null) return [id];
  const [first, last] = (/^(\d+)[-–](\d+)$/.exec(part)?.slice(1) ?? []).map(readScheduleId);
  if (first == null || last == null || last < first || last - first >= MAX_RANGE) return [];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The watch list after ids were added and removed; a full list takes no more. */
export function updateWatchList(
  watch: readonly number[],
  { add, remove }: { readonly add: string; readonly remove: string },
): readonly number[] {
  const removed = new Set(parseScheduleIds(remove).ids);
  const kept = watch.filter((id) => !removed.has(id));
  return [...new Set([...kept, ...parseScheduleIds(add).ids])].slice(0, MAX_WATCHED_SCHEDULES);
}
