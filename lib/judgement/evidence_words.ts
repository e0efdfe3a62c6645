/** The numbers behind a reason, in words. */
import { formatBytes, formatCount, formatDuration } from "../format.ts";
import type { Reason } from "./reason.ts";

/** One of the numbers behind a reason. */
export interface EvidenceFact {
  /** What it is, such as `Failed runs`. */
  readonly name: string;
  /** With its unit; a time is in milliseconds since 1970, for the reader's own zone. */
  readonly value: string | { readonly at: number };
}

/** What is counted, by the code of the reason. */
const COUNTED: Readonly<Record<string, string>> = {
  failing: "Failed runs",
  overdue: "Overdue runs",
  missed: "Missed runs",
  late: "Late runs",
  "started-by-hand": "Runs repaired by hand",
  "unknown-status": "Runs with this status",
  "outside-recipient": "New external recipients",
  "recipients-dropped": "Runs with fewer recipients",
  "sent-to-nobody": "Runs sent to nobody",
  "empty-delivery": "Runs without content",
  clock: "Runs with impossible times",
  inconsistent: "Inconsistencies",
};

/** Names that do not say by themselves what they are. */
const NAMES: Readonly<Record<string, string>> = {
  recent: "Of these, recent",
  confirmed: "Plan",
  reachesBack: "May have started earlier",
  lastGood: "Last success",
  due: "Was due",
  latest: "Latest was due",
  next: "Next run due",
  of: "Of the latest runs",
  failed: "Failed runs",
  openMs: "Open for",
  usualMs: "Usual duration",
  longestMs: "Longest duration",
  outliers: "Much longer runs",
  gone: "No longer has",
};

/** The names of times. */
const TIMES: readonly string[] = ["due", "lastGood", "latest", "newest", "next"];

/** Numbers that others beside them say, and the identity of a change. */
const LEFT_OUT: readonly string[] = ["factor", "first", "usual"];

/** The numbers behind a reason with their names and units, such as `Before: 1 min`. */
export function evidenceFacts(
  { code, evidence }: {
    /** Of the reason; one of another version of Docket is allowed. */
    readonly code: string;
    readonly evidence: Reason["evidence"];
  },
): EvidenceFact[] {
  return Object.entries(evidence).flatMap(([name, value]) =>
    LEFT_OUT.includes(name) ? [] : {
      name: (name === "count" ? COUNTED[code] : NAMES[name]) ?? wordsOf(name),
      value: valueOf(code, name, value),
    }
  );
}

function valueOf(
  code: string,
  name: string,
  value: Reason["evidence"][string],
): EvidenceFact["value"] {
  if (name === "confirmed") return value ? "confirmed" : "inferred";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null) return "not known";
  if (typeof value === "string") return name === "field" ? wordsOf(value) : value;
  if (TIMES.includes(name)) return { at: value };
  const isChange = name === "before" || name === "after";
  if (isChange && code === "size-jump") return formatBytes(value);
  if (isChange && code === "slower" || name.endsWith("Ms")) return formatDuration(value);
  return formatCount(Math.round(value * 10) / 10);
}

/** A name such as `impossibleStarts` as words: `Impossible starts`. */
function wordsOf(name: string): string {
  const words = name.replace(/Ms$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}
