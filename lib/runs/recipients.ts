/**
 * Who a schedule's reports were sent to: each recipient's history, their domains, and who was added
 * or removed.
 */
import type { Recipient, ReportRun } from "../types.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { newestFirst, timeOf } from "./times.ts";

/** One recipient's history. */
export interface RecipientHistory<Run> {
  /** Identifies the recipient: the user id, or else the address, or else the name. */
  readonly key: string;
  /** The recipient as in the newest run. */
  readonly recipient: Recipient;
  /** Every address that the recipient had, newest first. */
  readonly addresses: readonly string[];
  /** The oldest run that lists the recipient. */
  readonly first: Run;
  /** The newest run that lists the recipient. */
  readonly last: Run;
  /** Number of runs that list the recipient. */
  readonly count: number;
  /** Number of those that were good: not every listed recipient was reached. */
  readonly goodCount: number;
  /** Titles of the reports. */
  readonly titles: readonly string[];
  /** Whether the newest run that lists anybody lists the recipient. */
  readonly isCurrent: boolean;
}

/** One domain of addresses. */
export interface RecipientDomain {
  /** The domain, in lower case. */
  readonly domain: string;
  /** Number of recipients with an address there. */
  readonly recipients: number;
  /** When it was first seen, in milliseconds since 1970; null if no run says when it started. */
  readonly firstSeen: number | null;
}

/**
 * What identifies a recipient among the others of a schedule.
 *
 * @returns The user id, or else the address, or else the name.
 */
export function recipientKey({ userId, emailAddress, displayName }: Recipient): string {
  if (typeof userId === "number") return `user ${userId}`;
  if (emailAddress) return `address ${emailAddress.toLowerCase()}`;
  return `name ${displayName ?? ""}`;
}

/**
 * The domain of an email address.
 *
 * @returns The domain in lower case, or undefined if there is none.
 */
export function domainOf(address: string | null | undefined): string | undefined {
  const at = address?.lastIndexOf("@") ?? -1;
  return at >= 0 && address!.slice(at + 1).trim().toLowerCase() || undefined;
}

/**
 * The recipients of runs.
 *
 * @param runs The runs, in any order.
 * @param dictionary What each status means.
 * @returns A history for each recipient, most often listed first.
 */
export function recipientHistories<Run extends ReportRun>(
  runs: readonly Run[],
  dictionary: StatusDictionary,
): RecipientHistory<Run>[] {
  const found = new Map<string, Found<Run>>();
  let newest: Run | undefined;
  for (const run of newestFirst(runs)) {
    if ((run.recipients?.length ?? 0) > 0) newest ??= run;
    for (const recipient of run.recipients ?? []) {
      const key = recipientKey(recipient);
      const history: Found<Run> = found.get(key) ??
        { recipient, last: run, runs: [], addresses: new Map() };
      found.set(key, history);
      // Somebody whom a run lists twice was still sent only one run.
      if (history.runs.at(-1) !== run) history.runs.push(run);
      const address = recipient.emailAddress;
      if (address && !history.addresses.has(address.toLowerCase())) {
        history.addresses.set(address.toLowerCase(), address);
      }
    }
  }
  return [...found].map(([key, { recipient, last, runs, addresses }]) => ({
    key,
    recipient,
    addresses: [...addresses.values()],
    first: runs.at(-1)!,
    last,
    count: runs.length,
    goodCount: runs.filter(({ status }) => meaningOf(status, dictionary) === "good").length,
    titles: [...new Set(runs.flatMap(({ reportTitle }) => reportTitle || []))],
    isCurrent: last === newest,
  })).sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}

interface Found<Run> {
  readonly recipient: Recipient;
  readonly last: Run;
  readonly runs: Run[];
  readonly addresses: Map<string, string>;
}

/**
 * The domains of recipients.
 *
 * @returns The domains, those with the most recipients first.
 */
export function recipientDomains<Run extends ReportRun>(
  histories: readonly RecipientHistory<Run>[],
): RecipientDomain[] {
  const domains = new Map<string, { recipients: number; firstSeen: number | null }>();
  for (const { addresses, first } of histories) {
    const time = timeOf(first.startTime) ?? null;
    for (const domain of new Set(addresses.map(domainOf))) {
      if (domain === undefined) continue;
      const seen = domains.get(domain);
      const times = [seen?.firstSeen ?? null, time].filter((at) => at !== null);
      domains.set(domain, {
        recipients: (seen?.recipients ?? 0) + 1,
        firstSeen: times.length > 0 ? Math.min(...times) : null,
      });
    }
  }
  return [...domains].map(([domain, rest]) => ({ domain, ...rest }))
    .sort((a, b) => b.recipients - a.recipients || (a.domain < b.domain ? -1 : 1));
}

/** Who was added or removed with a run. */
export interface RecipientChange<Run> {
  /** The first run with or without them. */
  readonly run: Run;
  /** Recipients whom the previous run did not list. */
  readonly came: readonly Recipient[];
  /** Recipients whom this run no longer lists. */
  readonly went: readonly Recipient[];
}

/**
 * Who was added or removed, run by run. Recipients are identified by user and address, so a new
 * address of the same user is a change.
 *
 * @param runs The runs, in any order. Runs that list nobody at all are skipped.
 */
export function recipientTimeline<Run extends ReportRun>(
  runs: readonly Run[],
): RecipientChange<Run>[] {
  const changes: RecipientChange<Run>[] = [];
  let before: Map<string, Recipient> | undefined;
  for (const run of newestFirst(runs).reverse()) {
    if ((run.recipients?.length ?? 0) === 0) continue;
    const listed = new Map(
      run.recipients!.map((recipient) => [
        `${recipientKey(recipient)} ${recipient.emailAddress?.toLowerCase() ?? ""}`,
        recipient,
      ]),
    );
    if (before) {
      const came = [...listed].filter(([key]) => !before!.has(key)).map(([, one]) => one);
      const went = [...before].filter(([key]) => !listed.has(key)).map(([, one]) => one);
      if (came.length + went.length > 0) changes.push({ run, came, went });
    }
    before = listed;
  }
  return changes.reverse();
}
