/** A status dictionary as text, for the cookie and for a form. */
import { percentDecoded } from "../../lib/format.ts";
import {
  defaultStatusDictionary,
  type StatusDictionary,
  type StatusMeaning,
} from "../../lib/runs/status.ts";

const MEANINGS: readonly StatusMeaning[] = ["good", "bad", "neutral"];

/** The longest text of a dictionary. A cookie holds 4 KB in all, and this is encoded twice. */
const MAX_LENGTH = 1200;

/** Reads what {@linkcode writeStatusDictionary} wrote; invalid entries are left out. */
export function readStatusDictionary(text: string): StatusDictionary {
  const entries = text.split(".").flatMap((entry) => {
    const [name = "", meaning] = entry.split(":");
    const known = MEANINGS.find((known) => known === meaning);
    const status = (percentDecoded(name) ?? "").trim().toLowerCase();
    return status && known ? [[status, known] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Writes a dictionary; entries that do not fit are left out. */
export function writeStatusDictionary(dictionary: StatusDictionary): string {
  let text = "";
  for (const [status, meaning] of Object.entries(dictionary)) {
    // Dots and colons are separators, and encodeURIComponent does not encode dots.
    const name = encodeURIComponent(status).replaceAll(".", "%2E");
    const longer = `${text}${text && "."}${name}:${meaning}`;
    if (longer.length > MAX_LENGTH) break;
    text = longer;
  }
  return text;
}

/** Whether all of a dictionary fits into the cookie. */
export function fitsCookie(dictionary: StatusDictionary): boolean {
  const fitting = readStatusDictionary(writeStatusDictionary(dictionary));
  return Object.keys(fitting).length === Object.keys(dictionary).length;
}

/**
 * The dictionary in a form, which has one `status` and one `meaning` for each row; a row with no
 * meaning is not listed.
 */
export function statusesOfForm(form: URLSearchParams): StatusDictionary {
  const meanings = form.getAll("meaning");
  const entries = form.getAll("status").flatMap((written, at) => {
    const status = written.trim().toLowerCase();
    const meaning = MEANINGS.find((known) => known === meanings[at]);
    return status && meaning ? [[status, meaning] as const] : [];
  });
  return Object.fromEntries(entries);
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

/**
 * Whether these statuses are judged alike by both dictionaries. Neutral ones are not if only one
 * lists them: it takes those that are not listed for unknown.
 */
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
