/** Reads lists of schedule ids that people type. */
import { formatCount } from "../../lib/format.ts";
import { readScheduleId } from "../http/request_query.ts";

export const MAX_SCHEDULE_IDS = 50;
/** Longer lists are not read to the end. */
const MAX_CHARACTERS = 5000;
/** The longest range, so that a typo does not become millions of ids. */
const MAX_RANGE = 1000;

export const RANGE_RULE = `A range, such as 101-112, goes up and has at most ${
  formatCount(MAX_RANGE)
} ids.`;

/** The beginning of a list; a part that is cut is left out, since half an id is another one. */
export const cutList = (list: string, length: number) =>
  `${list} `.slice(0, length).replace(/[^\s,;]{1,33}$/, "");

/** The ids in a list such as `101, 105 110-112`, its invalid parts, and whether it is too long. */
export function parseScheduleIds(text: string) {
  const ids = new Set<number>();
  const invalid = new Set<string>();
  for (const part of cutList(text, MAX_CHARACTERS).split(/[\s,;]+/).filter(Boolean)) {
    const [, from = "", to = from] = /^(\d+)(?:[-–](\d+))?$/.exec(part) ?? [];
    const [first, last] = [from, to].map(readScheduleId);
    if (first === null || last === null || last < first || last - first >= MAX_RANGE) {
      invalid.add(part);
      continue;
    }
    // One id more than allowed shows that there are too many.
    for (let id = first; id <= last && ids.size <= MAX_SCHEDULE_IDS; id++) ids.add(id);
  }
  return {
    ids: [...ids].slice(0, MAX_SCHEDULE_IDS),
    invalid: [...invalid],
    isCut: text.length > MAX_CHARACTERS || ids.size > MAX_SCHEDULE_IDS,
  };
}

export function scheduleIdsIssue(
  { invalid, isCut }: ReturnType<typeof parseScheduleIds>,
): string | undefined {
  if (!isCut && invalid.length === 0) return undefined;
  const found = invalid.length > 0 ? `, not "${invalid.join(", ")}"` : "";
  return `must be at most ${MAX_SCHEDULE_IDS} ids and ranges such as 101,105-112${found}`;
}
