/** The watch list: ids of report schedules, in a link, in a form and in the preferences. */
import { MAX_WATCHED_SCHEDULES } from "./preferences.ts";
import { readScheduleId } from "../http/schedule_id.ts";

/** Ids as people write several, with commas or spaces between, and what is no id. */
export interface ParsedScheduleIds {
  /** The ids, each once, at most {@linkcode MAX_WATCHED_SCHEDULES}. */
  readonly ids: readonly number[];
  /** What is not the id of a schedule. */
  readonly wrong: readonly string[];
  /** Number of ids that were too many. */
  readonly over: number;
}

/** Reads ids. */
export function parseScheduleIds(text: string): ParsedScheduleIds {
  const written = text.split(/[\s,;]+/).filter((part) => part !== "");
  const isId = (part: string) => readScheduleId(part) !== null;
  const ids = [...new Set(written.filter(isId).map(Number))];
  return {
    ids: ids.slice(0, MAX_WATCHED_SCHEDULES),
    wrong: written.filter((part) => !isId(part)),
    over: Math.max(0, ids.length - MAX_WATCHED_SCHEDULES),
  };
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
