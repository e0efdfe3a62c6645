/** A status dictionary as text, for the cookie and for a form. */
import {
  defaultStatusDictionary,
  type StatusDictionary,
  type StatusMeaning,
} from "../../lib/runs/status.ts";

const MEANINGS: readonly StatusMeaning[] = ["good", "bad", "neutral"];
/** The longest text of a dictionary. A cookie holds 4 KB in all, and this is encoded twice. */
const MAX_LENGTH = 1200;

/** The dictionary of statuses with their meanings; invalid ones are left out. */
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

/** The dictionary in a form, with a `status` and a `meaning` for each row; without one it is left out. */
export function statusesOfForm(form: URLSearchParams): StatusDictionary {
  const meanings = form.getAll("meaning");
  return dictionaryOf(form.getAll("status").map((status, at) => [status, meanings[at]]));
}

/** What statuses mean, such as `success=good, failure=bad`. */
export function statusWords(dictionary: StatusDictionary): string {
  const words = Object.entries(dictionary).map(([status, meaning]) => `${status}=${meaning}`);
  return words.join(", ") || "none listed";
}

/** The dictionary as a watch stores it: null if it means the same as the default one. */
export function statusesToWatchBy(dictionary: StatusDictionary): StatusDictionary | null {
  const own = defaultStatusDictionary();
  const statuses = Object.keys({ ...dictionary, ...own });
  return meanTheSame(statuses, dictionary, own) ? null : dictionary;
}

/** Whether both dictionaries judge these statuses alike. A neutral one has to be in both or neither. */
export function meanTheSame(
  statuses: Iterable<string | null | undefined>,
  a: StatusDictionary,
  b: StatusDictionary,
): boolean {
  return [...statuses].every((status) => listed(status, a) === listed(status, b));
}

function listed(status: string | null | undefined, dictionary: StatusDictionary) {
  const key = status?.toLowerCase() ?? "";
  return Object.hasOwn(dictionary, key) ? dictionary[key] : null;
}
