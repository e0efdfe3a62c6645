import type { Recipient, ReportRun } from "../types.ts";
import { peopleAmong } from "./recipients.ts";
import { defaultStatusDictionary, meaningOf, type StatusDictionary } from "./status.ts";
import { timeOf } from "./times.ts";

/** What one person received from one schedule. */
export interface RecipientSpan {
  /** Id of the schedule. */
  readonly scheduleId: number;
  /** User id of the person; null if no run gives one. */
  readonly userId: number | null;
  /** Name, as in the latest run that lists the person; null if it gives none. */
  readonly displayName: string | null;
  /** Address, as in the latest run that lists the person; null if it gives none. */
  readonly emailAddress: string | null;
  /** Start of the first successful run that listed the person: ISO 8601, UTC. */
  readonly first: string;
  /** Start of the last such run: ISO 8601, UTC. */
  readonly last: string;
  /** Number of such runs. */
  readonly runs: number;
  /** Whether the latest successful run lists the person. */
  readonly receiving: boolean;
}

/** The columns of files and tables of recipients. */
export const SPAN_COLUMNS: readonly (keyof RecipientSpan)[] = [
  "scheduleId",
  "userId",
  "displayName",
  "emailAddress",
  "first",
  "last",
  "runs",
  "receiving",
];

/**
 * Finds who received which schedules, and since when.
 *
 * A person is a positive user id, or else an address, whatever its case. A user id that one run lists
 * with several addresses identifies nobody: these addresses are people. An address with and without a
 * user id is one person, unless several user ids share it. Only successful runs with a start and a list
 * of recipients count. Recipients with neither user id nor address are left out.
 *
 * @param histories The runs of each schedule, by schedule id, in any order.
 * @param dictionary What each status means. Default: the words that are known from the start. Runs with
 * another status are left out: a verdict's `unknownStatuses` say how many.
 * @returns What each person received, sorted by schedule and then by first run; people with the same
 * first run are in the order of its list.
 *
 * @example Who no longer receives a schedule
 * ```ts
 * import { recipientSpans } from "@docket/docket";
 *
 * const ada = { userId: 1, displayName: "Ada Byron", emailAddress: "ada@example.com" };
 * const sam = { userId: 2, displayName: "Sam Okafor", emailAddress: "sam@example.com" };
 * const spans = recipientSpans(
 *   new Map([[101, [
 *     { id: 1, startTime: "2026-11-17T05:00:00Z", status: "success", recipients: [ada, sam] },
 *     { id: 2, startTime: "2026-11-18T05:00:00Z", status: "success", recipients: [ada] },
 *   ]]]),
 * );
 * const gone = spans.filter(({ receiving }) => !receiving);
 * console.assert(gone.length === 1 && gone[0].last === "2026-11-17T05:00:00.000Z");
 * ```
 */
export function recipientSpans(
  histories: ReadonlyMap<number, readonly ReportRun[]>,
  dictionary: StatusDictionary = defaultStatusDictionary(),
): RecipientSpan[] {
  const identify = peopleAmong([...histories.values()].flat().map(({ recipients }) => recipients));
  return [...histories].sort(([a], [b]) => a - b).flatMap(([scheduleId, runs]) => {
    /** The people as in the latest run so far, and what they received. */
    const spans = new Map<string, {
      readonly recipient: Recipient;
      readonly run: ReportRun;
      readonly first: number;
      readonly last: number;
      readonly runs: number;
    }>();
    const good = runs.flatMap((run) => {
      const time = timeOf(run.startTime);
      const isGood = meaningOf(run.status, dictionary) === "good";
      return isGood && time !== undefined && run.recipients ? [{ run, time }] : [];
    }).sort((a, b) => a.time - b.time || a.run.id - b.run.id);
    for (const { run, time } of good) {
      const listed = new Map<string, Recipient>();
      for (const recipient of run.recipients!) {
        const { key } = identify(recipient);
        if (!key.startsWith("name ") && !listed.has(key)) listed.set(key, recipient);
      }
      for (const [key, recipient] of listed) {
        const span = spans.get(key);
        if (!span) spans.set(key, { recipient, run, first: time, last: time, runs: 1 });
        else Object.assign(span, { recipient, run, last: time, runs: span.runs + 1 });
      }
    }
    const latest = good.at(-1)?.run;
    return [...spans.values()].map(({ recipient, run, first, last, runs }): RecipientSpan => ({
      scheduleId,
      userId: identify(recipient).userId,
      displayName: recipient.displayName ?? null,
      emailAddress: recipient.emailAddress ?? null,
      first: new Date(first).toISOString(),
      last: new Date(last).toISOString(),
      runs,
      receiving: run === latest,
    }));
  });
}
