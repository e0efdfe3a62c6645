/** Lists of schedule ids as people type them. */
import { formatCount } from "../../lib/format.ts";
import { readScheduleId } from "../http/schedule_id.ts";

export const MAX_SCHEDULE_IDS = 50;

/** Ids that are longer together are not read to the end. */
const MOST_CHARACTERS = 5000;

/** The ids in a list such as `101, 105 110-112`, and what could not be read. */
export interface ParsedScheduleIds {
  /** The ids, each once, at most {@linkcode MAX_SCHEDULE_IDS}. */
  readonly ids: readonly number[];
  /** The parts that are not schedule ids or ranges of them, each once. */
  readonly invalid: readonly string[];
  /** Whether there are more ids, which were not read. */
  readonly isCut: boolean;
}

export function parseScheduleIds(text: string): ParsedScheduleIds {
  const ids = new Set<number>();
  const invalid = new Set<string>();
  let isCut = text.length > MOST_CHARACTERS;
  for (const part of text.slice(0, MOST_CHARACTERS).split(/[\s,;]+/)) {
    if (part === "") continue;
    const range = rangeOf(part);
    if (range === null) invalid.add(part);
    else isCut = addRange(ids, range) || isCut;
  }
  return { ids: [...ids], invalid: [...invalid], isCut };
}

/** Adds the ids of a range, and returns whether there are too many. */
function addRange(ids: Set<number>, { first, last }: IdRange): boolean {
  for (let id = first; id <= last; id++) {
    if (ids.has(id)) continue;
    if (ids.size === MAX_SCHEDULE_IDS) return true;
    ids.add(id);
  }
  return false;
}

/** The longest range, so that a typo does not become millions of ids. */
const MAX_RANGE = 1000;

export const RANGE_RULE = `A range is such as 101-112: it goes up, and has at most ${
  formatCount(MAX_RANGE)
} ids.`;

interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** What one part means: a single id, or a range such as `101-112`. */
function rangeOf(part: string): IdRange | null {
  const id = readScheduleId(part);
  if (id !== null) return { first: id, last: id };
  const [first, last] = (/^(\d+)[-–](\d+)$/.exec(part)?.slice(1) ?? []).map(readScheduleId);
  if (first == null || last == null || last < first || last - first >= MAX_RANGE) return null;
  return { first, last };
}
