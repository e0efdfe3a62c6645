/** Writes and reads status dictionaries, for the cookie and for a form. */
import { defaultStatusDictionary, MEANINGS, type StatusDictionary } from "../../lib/runs/status.ts";

/** The longest text of a dictionary: a cookie has at most 4 KB, and the text is encoded twice. */
const MAX_LENGTH = 1200;

function dictionaryOf(pairs: readonly (readonly [string, string?])[]): StatusDictionary {
  const entries = pairs.flatMap(([written, meaning]) => {
    const status = written.trim().toLowerCase();
    const known = MEANINGS.find((each) => each === meaning);
    return status && known ? [[status, known] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Reads what {@linkcode writeStatusDictionary} wrote, such as `success=good&failure=bad`. */
export function readStatusDictionary(text: string): StatusDictionary {
  return dictionaryOf([...new URLSearchParams(text)]);
}

export function writeStatusDictionary(dictionary: StatusDictionary): string {
  return String(new URLSearchParams(dictionary));
}

export function fitsCookie(dictionary: StatusDictionary): boolean {
  return writeStatusDictionary(dictionary).length <= MAX_LENGTH;
}

/** The dictionary in a form with a `status` and a `meaning` per row; invalid rows are left out. */
export function statusesOfForm(form: URLSearchParams): StatusDictionary {
  const meanings = form.getAll("meaning");
  return dictionaryOf(form.getAll("status").map((status, at) => [status, meanings[at]]));
}

/** What statuses mean, such as `success=good, failure=bad`. */
export function statusWords(dictionary: StatusDictionary): string {
  const words = Object.entries(dictionary).map(([status, meaning]) => `${status}=${meaning}`);
  return words.join(", ") || "none listed";
}

/** The dictionary as a watch stores it: null if it is equivalent to the default one. */
export function statusesToStore(dictionary: StatusDictionary): StatusDictionary | null {
  const defaults = defaultStatusDictionary();
  const statuses = Object.keys({ ...dictionary, ...defaults });
  return haveSameMeanings(statuses, dictionary, defaults) ? null : dictionary;
}

/** Whether statuses have the same meanings in both dictionaries. */
export function haveSameMeanings(
  statuses: Iterable<string | null | undefined>,
  a: StatusDictionary,
  b: StatusDictionary,
): boolean {
  return [...statuses].every((status) => listedMeaning(status, a) === listedMeaning(status, b));
}

function listedMeaning(status: string | null | undefined, dictionary: StatusDictionary) {
  const key = status?.toLowerCase() ?? "";
  return Object.hasOwn(dictionary, key) ? dictionary[key] : null;
}
