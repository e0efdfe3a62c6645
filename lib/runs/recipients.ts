/**
 * Who a schedule's reports were sent to: each recipient's history, their domains, and whoever is new
 * from outside.
 *
 * @module
 */

import type { Recipient, ReportRun } from "../types.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { newestFirst, timeOf } from "./times.ts";

/** One recipient's history. */
export interface RecipientHistory<Run> {
  /** Tells recipients apart: the user id, or else the address, or else the name. */
  readonly key: string;
  /** The recipient as the newest run names them. */
  readonly recipient: Recipient;
  /** Every address that the recipient had, the newest first. */
  readonly addresses: readonly string[];
  /** The oldest run that lists the recipient. */
  readonly first: Run;
  /** The newest run that lists the recipient. */
  readonly last: Run;
  /** Number of runs that list the recipient. */
  readonly count: number;
  /** Number of those that were good: that a run lists somebody does not say that it reached them. */
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
  /** When it was first seen, in milliseconds since 1970; null where no run says when it started. */
  readonly firstSeen: number | null;
}

/** An address outside the usual domains that is new. */
export interface Newcomer<Run> {
  /** Whose address it is. */
  readonly history: RecipientHistory<Run>;
  /** Its domain. */
  readonly domain: string;
}

/**
 * What tells a recipient from the others of a schedule.
 *
 * @param recipient The recipient.
 * @returns The user id where there is one, or else the address, or else the name.
 */
export function recipientKey({ userId, emailAddress, displayName }: Recipient): string {
  if (typeof userId === "number") return `user ${userId}`;
  if (emailAddress) return `address ${emailAddress.toLowerCase()}`;
  return `name ${displayName ?? ""}`;
}

/**
 * The domain of an e-mail address.
 *
 * @param address The address.
 * @returns The domain in lower case, or undefined where there is none.
 */
export function domainOf(address: string | null | undefined): string | undefined {
  const at = address?.lastIndexOf("@") ?? -1;
  return at >= 0 && address!.slice(at + 1).trim().toLowerCase() || undefined;
}

/**
 * Who runs were sent to.
 *
 * @param runs The runs, in any order.
 * @param dictionary What each status means.
 * @returns A history for each recipient, those who are listed most often first.
 *
 * @example
 * ```ts
 * import { defaultStatusDictionary, recipientHistories } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const runs = [
 *   { id: 1, startTime: "2026-01-01T06:00:00Z", recipients: [{ userId: 7 }] },
 *   { id: 2, startTime: "2026-01-02T06:00:00Z", recipients: [{ userId: 7 }, { userId: 8 }] },
 * ];
 * const histories = recipientHistories(runs, defaultStatusDictionary());
 * assertEquals(histories.map(({ recipient, count }) => [recipient.userId, count]), [[7, 2], [8, 1]]);
 * ```
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
      // Somebody whom a run lists twice was still sent one run.
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
 * @param histories The recipients.
 * @returns The domains, those of the most recipients first.
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

/** Of so many runs at most the recipients count as new. */
const NEW_RUNS = 30;
/** Before fewer runs nothing is known of what is usual. */
const FEWEST_BEFORE = 10;

/**
 * Recipients whose address is at a domain that no run before the newest ones knew. The newest are a
 * tenth of the runs, 30 at most. A part of a known domain, such as `mail.example.com` of
 * `example.com`, is known.
 *
 * @param runs The runs, in any order.
 * @param histories The recipients of those runs.
 * @returns Who is new from outside; nobody where too few runs tell what is usual.
 */
export function outsideNewcomers<Run extends ReportRun>(
  runs: readonly Run[],
  histories: readonly RecipientHistory<Run>[],
): Newcomer<Run>[] {
  const listing = newestFirst(runs).filter((run) =>
    (run.recipients?.length ?? 0) > 0 && timeOf(run.startTime) !== undefined
  );
  const newCount = Math.min(NEW_RUNS, Math.max(1, Math.floor(listing.length / 10)));
  const before = listing.slice(newCount);
  if (before.length < FEWEST_BEFORE) return [];
  const usual = new Set<string>();
  for (const { recipients } of before) {
    for (const { emailAddress } of recipients ?? []) {
      const domain = domainOf(emailAddress);
      if (domain) usual.add(domain);
    }
  }
  const isUsual = (domain: string) =>
    [...usual].some((known) => domain === known || domain.endsWith(`.${known}`));
  return histories.flatMap((history) => {
    const domain = history.addresses.map(domainOf)
      .find((domain) => domain !== undefined && !isUsual(domain));
    return domain === undefined ? [] : [{ history, domain }];
  });
}
