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

/** Who was first seen within this before the newest run is new. */
const NEW_MS = 30 * 24 * 60 * 60 * 1000;
/** Before fewer runs nothing is known of what is usual. */
const FEWEST_BEFORE = 10;

/** Hosts where anybody can have an address: one there does not make another one usual. */
function privateHosts(): RegExp {
  return /^((gmail|googlemail|outlook|hotmail|live|msn|icloud|me|mac|aol|protonmail|mail|fastmail|yandex|zoho|qq|163|126)\.com|(yahoo|hotmail|live|outlook|gmx)\.[a-z.]{2,6}|proton\.me|pm\.me|web\.de|t-online\.de|freenet\.de|orange\.fr|laposte\.net|mail\.ru|tutanota\.com|hey\.com)$/;
}

/**
 * Recipients with an address that is new and outside: at a domain that no run before the newest
 * month knew, or at a host for private mail. Those are known by address too: a second address of
 * somebody who was known before is new as well. A part of a known domain, such as
 * `mail.example.com` of `example.com`, is known.
 *
 * @param runs The runs, in any order.
 * @param histories The recipients of those runs.
 * @returns Who is new from outside; nobody where fewer than ten runs before tell what is usual.
 */
export function outsideNewcomers<Run extends ReportRun>(
  runs: readonly Run[],
  histories: readonly RecipientHistory<Run>[],
): Newcomer<Run>[] {
  const outside = outsideAddresses(runs);
  if (outside.size === 0) return [];
  return histories.flatMap((history) => {
    const address = history.addresses.find((each) => outside.has(each.toLowerCase()));
    return address === undefined ? [] : [{ history, domain: domainOf(address)! }];
  });
}

/** Recipients who are new from outside; histories are made only where there may be some. */
export function newcomersIn<Run extends ReportRun>(
  runs: readonly Run[],
  statuses: StatusDictionary,
): Newcomer<Run>[] {
  if (outsideAddresses(runs).size === 0) return [];
  return outsideNewcomers(runs, recipientHistories(runs, statuses));
}

/** The addresses that are new and outside, in lower case. */
function outsideAddresses(runs: readonly ReportRun[]): ReadonlySet<string> {
  const outside = new Set<string>();
  if (runs.every((run, at) => at === 0 || listsSame(run, runs[at - 1]))) return outside;
  const listing = newestFirst(runs).filter((run) =>
    (run.recipients?.length ?? 0) > 0 && timeOf(run.startTime) !== undefined
  );
  if (listing.length <= FEWEST_BEFORE) return outside;
  const newest = timeOf(listing[0].startTime)!;
  // Of a young history the oldest runs are what is usual.
  const since = Math.max(
    newest - NEW_MS,
    timeOf(listing[listing.length - FEWEST_BEFORE].startTime)! + 1,
  );
  const before = listing.findIndex(({ startTime }) => timeOf(startTime)! < since);
  const addresses = addressesIn(before < 0 ? [] : listing.slice(before));
  const domains = new Set([...addresses].flatMap((address) => domainOf(address) ?? []));
  if (domains.size === 0) return outside;
  const isPrivate = privateHosts();
  const usual = [...domains];
  for (const address of addressesIn(runs)) {
    const domain = domainOf(address);
    if (domain === undefined || addresses.has(address)) continue;
    const isUsual = !isPrivate.test(domain) &&
      usual.some((known) => domain === known || domain.endsWith(`.${known}`));
    if (!isUsual) outside.add(address);
  }
  return outside;
}

/** All addresses of runs, in lower case. */
function addressesIn(runs: readonly ReportRun[]): Set<string> {
  const addresses = new Set<string>();
  let before: Pick<ReportRun, "recipients"> = {};
  for (const run of runs) {
    // Mostly a run lists whom the run beside it lists.
    if (!listsSame(run, before)) {
      for (const { emailAddress } of run.recipients ?? []) {
        if (emailAddress) addresses.add(emailAddress.toLowerCase());
      }
    }
    before = run;
  }
  return addresses;
}

/** Whether two runs list the same addresses, in the same order. */
export function listsSame(
  { recipients }: Pick<ReportRun, "recipients">,
  { recipients: others }: Pick<ReportRun, "recipients">,
): boolean {
  const [length, other] = [recipients?.length ?? 0, others?.length ?? 0];
  if (length !== other) return false;
  for (let at = 0; at < length; at++) {
    if (recipients![at].emailAddress !== others![at].emailAddress) return false;
  }
  return true;
}

/** Who came and who went with a run. */
export interface RecipientChange<Run> {
  /** The first run with, or without, them. */
  readonly run: Run;
  /** Recipients whom the run before did not list. */
  readonly came: readonly Recipient[];
  /** Recipients whom this run does not list any more. */
  readonly went: readonly Recipient[];
}

/**
 * Who came and who went, run by run. Recipients are told apart by user and by address: a new address
 * of the same user is a change.
 *
 * @param runs The runs, in any order. Those that list nobody at all are passed over.
 * @returns The changes, the newest first.
 *
 * @example
 * ```ts
 * import { recipientTimeline } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const timeline = recipientTimeline([
 *   { id: 1, startTime: "2026-01-01T06:00:00Z", recipients: [{ userId: 7 }] },
 *   { id: 2, startTime: "2026-01-02T06:00:00Z", recipients: [{ userId: 8 }] },
 * ]);
 * assertEquals(timeline.map(({ run, came, went }) => [run.id, came, went]), [
 *   [2, [{ userId: 8 }], [{ userId: 7 }]],
 * ]);
 * ```
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
