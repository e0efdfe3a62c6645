/** Rules for texts, the same on both databases: which may be stored, and how they are compared. */
import { foldCase } from "../../lib/search/match_rows.ts";

/** The most characters of what people enter. */
export const MAX_CHARACTERS = { name: 100, note: 1000 } as const;

/** The key of an owner or a calendar: its name without differences of case. */
export function nameKey(name: string): string {
  return foldCase(name.trim());
}
