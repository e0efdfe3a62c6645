/** A status dictionary as text, for the cookie and for a form. */
import type { StatusDictionary, StatusMeaning } from "../../lib/runs/status.ts";

const MEANINGS: readonly StatusMeaning[] = ["good", "bad", "neutral"];

/** The longest text of a dictionary: a cookie holds 4 KB with everything else, encoded twice. */
const LONGEST = 1200;

/** Reads what {@linkcode writeStatusDictionary} wrote; what can't be used of it is left out. */
export function readStatusDictionary(text: string): StatusDictionary {
  const entries = text.split(".").flatMap((entry) => {
    const [name = "", meaning] = entry.split(":");
    const known = MEANINGS.find((known) => known === meaning);
    const status = decoded(name).trim().toLowerCase();
    return status && known ? [[status, known] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Writes a dictionary; one that is too long ends early. */
export function writeStatusDictionary(dictionary: StatusDictionary): string {
  let text = "";
  for (const [status, meaning] of Object.entries(dictionary)) {
    // Points and colons stand between entries, and encodeURIComponent leaves points as they are.
    const entry = `${encodeURIComponent(status).replaceAll(".", "%2E")}:${meaning}`;
    if (text.length + entry.length > LONGEST) break;
    text += (text && ".") + entry;
  }
  return text;
}

/** Whether a dictionary can be kept whole. */
export function fitsCookie(dictionary: StatusDictionary): boolean {
  const kept = readStatusDictionary(writeStatusDictionary(dictionary));
  return Object.keys(kept).length === Object.keys(dictionary).length;
}

/** The dictionary that a form has: `status` and `meaning`, one of each for every row. */
export function statusesOfForm(form: URLSearchParams): StatusDictionary {
  const meanings = form.getAll("meaning");
  const entries = form.getAll("status").flatMap((written, at) => {
    const status = written.trim().toLowerCase();
    const meaning = MEANINGS.find((known) => known === meanings[at]);
    // Neutral is what every other status is anyway.
    return status && meaning && meaning !== "neutral" ? [[status, meaning] as const] : [];
  });
  return Object.fromEntries(entries);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
