/** What statuses mean. The interface lists none, so English words are known, and people say the rest. */
import { formatCountOf } from "../format.ts";
import type { ReportRun } from "../types.ts";
import { maskAddresses } from "./recipients.ts";

/**
 * What each status says of a run: it succeeded, it failed, or it is not over yet. Case does not
 * matter, and `_` and `-` are blanks. What is not listed is unknown, which is never taken as a
 * success, nor as a sign that nobody received the report.
 */
export type StatusDictionary = Readonly<Record<string, "good" | "bad" | "pending" | "unknown">>;

export type StatusMeaning = StatusDictionary[string];

export const MEANINGS: readonly StatusMeaning[] = ["good", "bad", "pending", "unknown"];

const KNOWN_WORDS = {
  good: "success succeeded successful ok complete completed done finished sent delivered",
  bad: "failure failed fail error errored aborted cancelled canceled timeout timed_out rejected " +
    "bounced undelivered",
  pending: "running in_progress started queued pending scheduled waiting processing",
} as const;

/**
 * What the words mean that are known from the start, such as `success`, `failed` and `in progress`.
 *
 * @returns The dictionary, to which people add the service's own words.
 *
 * @example
 * ```ts
 * import { defaultStatusDictionary } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const dictionary = { ...defaultStatusDictionary(), archived: "good" } as const;
 * assertEquals([dictionary.completed, dictionary.archived], ["good", "good"]);
 * ```
 */
export function defaultStatusDictionary(): StatusDictionary {
  return Object.fromEntries(
    Object.entries(KNOWN_WORDS).flatMap(([meaning, words]) =>
      words.split(" ").map((word) => [statusWord(word), meaning as StatusMeaning])
    ),
  );
}

/** A status as dictionaries compare it: `TIMED_OUT` is `timed out`. Empty if there is none. */
export function statusWord(status: string | null | undefined): string {
  return (status ?? "").toLowerCase().replace(/[\s_-]+/g, " ").trim();
}

const byWord = new WeakMap<StatusDictionary, ReadonlyMap<string, StatusMeaning>>();

/** What a status means; one that is missing or not listed is unknown. */
export function meaningOf(
  status: string | null | undefined,
  dictionary: StatusDictionary,
): StatusMeaning {
  let meanings = byWord.get(dictionary);
  if (!meanings) {
    meanings = new Map(
      Object.entries(dictionary).map(([each, meaning]) => [statusWord(each), meaning]),
    );
    byWord.set(dictionary, meanings);
  }
  return meanings.get(statusWord(status)) ?? "unknown";
}

/** What the status of a run means; unknown if it has ended, but is said to go on. */
export function meaningOfRun(
  { endTime, status }: Pick<ReportRun, "status" | "endTime">,
  dictionary: StatusDictionary,
): StatusMeaning {
  const meaning = meaningOf(status, dictionary);
  return endTime && meaning === "pending" ? "unknown" : meaning;
}

/** Whether a run has neither a status nor an end, as one that is still going may. */
export function saysNothing({ endTime, status }: Pick<ReportRun, "status" | "endTime">): boolean {
  return !statusWord(status) && !endTime;
}

export type UnknownStatus = ReturnType<typeof unknownStatuses>[number];

/**
 * The statuses that a dictionary does not explain, of runs that are over. Lists of recipients leave
 * these runs out.
 *
 * @param runs The runs, in any order.
 * @param dictionary What each status means. Default: the words that are known from the start.
 * @returns Each such status with its number of runs, most frequent first.
 */
export function unknownStatuses(
  runs: Iterable<Pick<ReportRun, "status" | "endTime">>,
  dictionary: StatusDictionary = defaultStatusDictionary(),
): readonly {
  /** The status as the service sent it; null if it sent none. */
  readonly status: string | null;
  /** Number of runs. */
  readonly runs: number;
}[] {
  const unknown = [...runs].filter((run) => meaningOfRun(run, dictionary) === "unknown");
  // One run without status and end is still going; where several lack both, that means nothing.
  const over = unknown.filter((run) => !saysNothing(run));
  const found = new Map<string, { status: string | null; runs: number }>();
  for (const { status } of unknown.length - over.length > 1 ? unknown : over) {
    const word = statusWord(status);
    const known = found.get(word);
    if (known) known.runs++;
    else found.set(word, { status: word ? status! : null, runs: 1 });
  }
  return [...found.values()].sort((a, b) => b.runs - a.runs);
}

const MAX_STATUS = 200;
const MAX_NAMED = 5;

/** What unknown statuses leave out, such as `2 runs with ARCHIVED, whose result is unknown`. */
export function unknownStatusText(unknown: readonly UnknownStatus[]): string {
  const count = unknown.reduce((sum, { runs }) => sum + runs, 0);
  const names = listStatuses(unknown.map(({ status }) => status));
  return `${formatCountOf(count, "run", "runs")} with ${names}, whose result is unknown`;
}

/** Statuses, each once, such as `odd or a or others`. */
export function listStatuses(statuses: readonly (string | null)[]): string {
  const all = [...new Set(statuses.map(shortStatus))];
  return [...all.slice(0, MAX_NAMED), ...all.length > MAX_NAMED ? ["others"] : []].join(" or ");
}

/** A status as a text shows it: short, and without addresses. */
export function shortStatus(status: string | null): string {
  return maskAddresses((status ?? "").slice(0, MAX_STATUS)) || "no status";
}

/** Reads pairs of a status and its meaning, and says everything that is wrong with them. */
export function readStatuses(pairs: readonly (readonly [status: unknown, meaning: unknown])[]): {
  readonly statuses: StatusDictionary;
  readonly faults: readonly { readonly at: number; readonly detail: string }[];
} {
  const statuses = new Map<string, StatusMeaning>();
  const faults: { at: number; detail: string }[] = [];
  for (const [at, [status, meaning]] of pairs.entries()) {
    const word = typeof status === "string" ? statusWord(status) : "";
    const known = MEANINGS.find((each) => each === meaning);
    const say = (detail: string) => void faults.push({ at, detail });
    if (word === "" || word.length > MAX_STATUS) {
      say(`a status must be a text of 1 to ${MAX_STATUS} characters`);
    } else if (statuses.has(word)) {
      say(`"${status}" is listed twice: case does not matter, and _ and - are blanks`);
    }
    if (!known) {
      say(`"${status}" can't mean "${meaning}": a meaning is ${MEANINGS.join(", ")}`);
    } else if (word && !statuses.has(word)) statuses.set(word, known);
  }
  return { statuses: Object.fromEntries(statuses), faults };
}

/** Reads a list such as `archived=good,error=bad`. @throws {TypeError} With everything that is wrong. */
export function parseStatuses(text: string): StatusDictionary {
  const parts = text.split(/[,;]/).filter((part) => part.trim() !== "");
  const unread = parts.filter((part) => !part.includes("="))
    .map((part) => `"${part.trim()}" has no meaning`);
  const pairs = parts.filter((part) => part.includes("="))
    .map((part) => part.trim().split(/\s*=\s*(?=[^=]*$)/) as [string, string]);
  const { statuses, faults } = readStatuses(pairs);
  const all = [...unread, ...faults.map(({ detail }) => detail)];
  if (parts.length > 0 && all.length === 0) return statuses;
  const list = "must be a list of statuses and meanings, such as archived=good,error=bad";
  throw new TypeError([list, ...all].join("; "));
}
