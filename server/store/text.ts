/** Rules for texts, the same on both engines: which may be stored, and how they are compared. */
import { createHash } from "node:crypto";
import { foldCase } from "../../lib/search/compare_values.ts";

/** The most characters of what people enter. */
export const MAX_CHARACTERS = { name: 100, schedule: 100, owner: 100, note: 1000 } as const;

/** What is wrong with a text, if anything: neither engine can store NUL or half a character. */
export function textIssue(text: string): string | undefined {
  if (text.includes("\0")) return "must not contain the NUL character";
  if (!text.isWellFormed()) return "must not contain half of a surrogate pair";
  return undefined;
}

/** The characters of a text that are compared: an index can't hold texts of any length. */
const MAX_COMPARED = 500;

/** A text as stored in columns and used in conditions: a digest replaces the end of a long one. */
export function comparedText(text: string): string {
  if (text.length <= MAX_COMPARED) return text;
  const characters = [...text];
  if (characters.length <= MAX_COMPARED) return text;
  const digest = createHash("sha256").update(text).digest("hex");
  return characters.slice(0, MAX_COMPARED).join("") + digest;
}

/** The key of an owner or a calendar: its name without differences of case. */
export function nameKey(name: string): string {
  return foldCase(name.trim());
}

export function hasTrigram(text: string): boolean {
  return /^.{3}/su.test(text);
}
