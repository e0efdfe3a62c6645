/** The watch list: ids of report schedules in a link, a form and the preferences. */
import { MAX_WATCHED_SCHEDULES } from "./preferences.ts";
import { readScheduleId } from "../http/schedule_id.ts";

/** Ids separated by commas, semicolons or spaces, and what could not be used. */
export interface ParsedScheduleIds {
  /** The ids, each once, at most {@linkcode MAX_WATCHED_SCHEDULES}. */
  readonly ids: readonly number[];
  /** Texts that are not schedule ids. */
  readonly invalid: readonly string[];
  /** Number of ids beyond the maximum. */
  readonly dropped: number;
}

/** Reads ids from a text. */
export function parseScheduleIds(text: string): ParsedScheduleIds {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  const isId = (part: string) => readScheduleId(part) !== null;
  const ids = [...new Set(parts.filter(isId).map(Number))];
  return {
    ids: ids.slice(0, MAX_WATCHED_SCHEDULES),
    invalid: parts.filter((part) => !isId(part)),
    dropped: Math.max(0, ids.length - MAX_WATCHED_SCHEDULES),
  };
}

/** The watch list with ids added and removed; a full list takes no more. */
export function updateWatchList(
  watch: readonly number[],
  { add, remove }: { readonly add: string; readonly remove: string },
): readonly number[] {
  const removed = new Set(parseScheduleIds(remove).ids);
  const kept = watch.filter((id) => !removed.has(id));
  return [...new Set([...kept, ...parseScheduleIds(add).ids])].slice(0, MAX_WATCHED_SCHEDULES);
}
