/** Lists of schedule ids as people type them. */
import { formatCount } from "../../lib/format.ts";
import { readScheduleId } from "../http/schedule_id.ts";

/** The most ids in a list. */
export const MAX_SCHEDULE_IDS = 50;

/** The ids in a list such as `101, 105 110-112`, and what could not be read. */
export interface ParsedScheduleIds {
  /** The ids, each once, at most {@linkcode MAX_SCHEDULE_IDS}. */
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
    ids: ids.slice(0, MAX_SCHEDULE_IDS),
    invalid: parts.filter(({ ids }) => ids.length === 0).map(({ part }) => part),
    dropped: Math.max(0, ids.length - MAX_SCHEDULE_IDS),
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
