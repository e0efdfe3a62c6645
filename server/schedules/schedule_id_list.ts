/** Reads lists of schedule ids that people type. */
import { formatCount } from "../../lib/format.ts";
import { readScheduleId, SCHEDULE_ID_RULE } from "../http/request_query.ts";

/** The most schedules that one action is about. */
export const MAX_SCHEDULES = 5000;
/** The most schedules of signed evidence, whose histories are read twice. */
export const MAX_EVIDENCE_SCHEDULES = 50;

/**
 * The ids in a list, ascending, and what is wrong with it; then there are none.
 *
 *     readScheduleIds("105-107, 101, 106-107")  →  { ids: [101, 105, 106, 107], issue: null }
 */
export function readScheduleIds(
  list: string | readonly number[],
  most = MAX_SCHEDULES,
): { readonly ids: readonly number[]; readonly issue: string | null } {
  const ranges: { readonly first: number; readonly last: number }[] = [];
  const wrong = new Set<string>();
  const parts = typeof list === "string" ? list.split(/[\s,;]+/).filter(Boolean) : list.map(String);
  for (const part of parts) {
    const [, from = "", to = from] = /^(\d+)(?:[-–](\d+))?$/.exec(part) ?? [];
    const [first, last] = [from, to].map(readScheduleId);
    if (first === null || last === null || last < first) wrong.add(part);
    else ranges.push({ first, last });
  }
  // In order, so that many ranges of the same ids cost no more than one.
  const ids: number[] = [];
  for (const { first, last } of ranges.sort((a, b) => a.first - b.first)) {
    const next = Math.max(first, (ids.at(-1) ?? -1) + 1);
    // One id more than allowed shows that there are too many.
    for (let id = next; id <= last && ids.length <= most; id++) ids.push(id);
  }
  if (wrong.size > 0) {
    const listed = [...wrong].slice(0, 10).map((part) => `"${part.slice(0, 40)}"`).join(", ");
    const issue = `must be ids and ranges such as 101,105-112, not ${listed}. ${SCHEDULE_ID_RULE}`;
    return { ids: [], issue };
  }
  if (ids.length > most) {
    return { ids: [], issue: `must be at most ${formatCount(most)} schedules at once` };
  }
  return { ids, issue: null };
}
