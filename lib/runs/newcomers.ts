/** Recipients who are new from outside. */
import type { ReportRun } from "../types.ts";
import { domainOf, recipientHistories, type RecipientHistory } from "./recipients.ts";
import type { StatusDictionary } from "./status.ts";
import { newestFirst, timeOf } from "./times.ts";

/** A new address outside the usual domains. */
export interface Newcomer<Run> {
  /** Whose address it is. */
  readonly history: RecipientHistory<Run>;
  /** Its domain. */
  readonly domain: string;
}

/** Recipients first seen within this time before the newest run are new. */
const NEW_MS = 30 * 24 * 60 * 60 * 1000;
/** With fewer earlier runs, nothing is known of what is usual. */
const FEWEST_BEFORE = 10;

/** Hosts where anybody can have an address: one address there does not make another one usual. */
function privateHosts(): RegExp {
  return /^((gmail|googlemail|outlook|hotmail|live|msn|icloud|me|mac|aol|protonmail|mail|fastmail|yandex|zoho|qq|163|126)\.com|(yahoo|hotmail|live|outlook|gmx)\.[a-z.]{2,6}|proton\.me|pm\.me|web\.de|t-online\.de|freenet\.de|orange\.fr|laposte\.net|mail\.ru|tutanota\.com|hey\.com)$/;
}

/**
 * Recipients with a new outside address: at a domain that no run before the newest month had, or at
 * a host for private mail. A second address of a known person is new as well. A subdomain of a known
 * domain, such as `mail.example.com` of `example.com`, is known.
 *
 * @param runs The runs, in any order.
 * @param statuses What each status means.
 * @returns New outside recipients; none if fewer than ten earlier runs show what is usual.
 */
export function outsideNewcomers<Run extends ReportRun>(
  runs: readonly Run[],
  statuses: StatusDictionary,
): Newcomer<Run>[] {
  const outside = outsideAddresses(runs);
  if (outside.size === 0) return [];
  return recipientHistories(runs, statuses).flatMap((history) => {
    const address = history.addresses.find((each) => outside.has(each.toLowerCase()));
    return address === undefined ? [] : [{ history, domain: domainOf(address)! }];
  });
}

/** The new outside addresses, in lower case. */
function outsideAddresses(runs: readonly ReportRun[]): ReadonlySet<string> {
  const outside = new Set<string>();
  // Mostly all runs list the same: then nobody is new.
  if (new Set(runs.map(addressList)).size < 2) return outside;
  const listing = newestFirst(runs).filter((run) =>
    (run.recipients?.length ?? 0) > 0 && timeOf(run.startTime) !== undefined
  );
  if (listing.length <= FEWEST_BEFORE) return outside;
  const newest = timeOf(listing[0].startTime)!;
  // In a young history, the oldest runs show what is usual.
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

function addressList({ recipients }: ReportRun): string {
  return (recipients ?? []).map(({ emailAddress }) => emailAddress).join();
}

/** All addresses of runs, in lower case. */
function addressesIn(runs: readonly ReportRun[]): Set<string> {
  const addresses = new Set<string>();
  for (const { recipients } of runs) {
    for (const { emailAddress } of recipients ?? []) {
      if (emailAddress) addresses.add(emailAddress.toLowerCase());
    }
  }
  return addresses;
}
