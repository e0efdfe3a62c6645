/** Reads lists of schedule ids that people type. */
import { formatCount } from "../../lib/format.ts";
import { readScheduleId, SCHEDULE_ID_RULE } from "../http/request_query.ts";

/** The most schedules that one action is about. */
export const MAX_SCHEDULES = 5000;
/** The most schedules of signed evidence, whose histories are read twice. */
export const MAX_EVIDENCE_SCHEDULES = 50;

/**
 * The ids in a list, in their order, and what is wrong with it; then there are none.
 *
 *     readScheduleIds("101, 105-107")  →  { ids: [101, 105, 106, 107], issue: null }
 */
export function readScheduleIds(
  list: string | readonly number[],
  most = MAX_SCHEDULES,
): { readonly ids: readonly number[]; readonly issue: string | null } {
  const ids = new Set<number>();
  const wrong = new Set<string>();
  const parts = typeof list === "string" ? list.split(/[\s,;]+/).filter(Boolean) : list.map(String);
  for (const part of parts) {
    const [, from = "", to = from] = /^(\d+)(?:[-–](\d+))?$/.exec(part) ?? [];
    const [first, last] = [from, to].map(readScheduleId);
    if (first === null || last === null || last < first) wrong.add(part);
    // One id more than allowed shows that there are too many.
    else for (let id = first; id <= last && ids.size <= most; id++) ids.add(id);
  }
  if (wrong.size > 0) {
    const listed = [...wrong].slice(0, 10).map((part) => `"${part.slice(0, 40)}"`).join(", ");
    const issue = `must be ids and ranges such as 101,105-112, not ${listed}. ${SCHEDULE_ID_RULE}`;
    return { ids: [], issue };
  }
  if (ids.size > most) {
    return { ids: [], issue: `must be at most ${formatCount(most)} schedules at once` };
  }
  return { ids: [...ids], issue: null };
}
