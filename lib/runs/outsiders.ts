/** Finds recipients at addresses outside that a schedule did not send to from the start. */
import type { Recipient, ReportRun } from "../types.ts";
import { canonicalDomain, resembledDomain } from "./look_alike.ts";
import { quantile } from "./quantiles.ts";
import type { TimedRun } from "./occurrences.ts";
import { comparedAddress, domainOf, ownUserId, peopleAmong, recipientKey } from "./recipients.ts";

/** Whoever is listed in this many of the first runs was always there. */
export const FIRST_RUNS = 3;
/** Hosts where anybody can have an address, so a usual address makes no other one usual. */
export const PRIVATE_HOSTS =
  /^((gmail|googlemail|outlook|hotmail|live|msn|icloud|me|mac|aol|protonmail|mail|fastmail|yandex|zoho|qq|163|126)\.com|(yahoo|hotmail|live|outlook|gmx)\.[a-z.]{2,6}|proton\.me|pm\.me|web\.de|t-online\.de|freenet\.de|orange\.fr|laposte\.net|mail\.ru|tutanota\.com|hey\.com)$/;

/** What is known of a schedule's runs before those that are judged. */
export interface EarlierRuns {
  /** When its first run started, in milliseconds since 1970. */
  readonly firstStart: number;
  /** Who received it, and when the first run that they received started. */
  readonly recipients: readonly { readonly recipient: Recipient; readonly first: number }[];
}

/** A new recipient with an address outside. */
export interface Newcomer {
  /** The recipient, as the newest run lists them. */
  readonly recipient: Recipient;
  /** The domain of the address. */
  readonly domain: string;
  /** The inside domain that the domain looks like, such as `example.com` for `examp1e.com`. */
  readonly resembles?: string;
}

export interface Outsider extends Newcomer {
  /** Digests of the user id, and of the address where nobody else has it. */
  readonly digests: readonly string[];
  /** The first of the newest runs in a row that list the recipient, and when it started. */
  readonly run: number;
  readonly since: number;
}

/**
 * Whom the newest run lists outside, unless one of the first three runs had an address at the same
 * domain. `good` are good runs, oldest first; `inside` are the domains of the house, by default the
 * domain of most recipients.
 */
export function outsidersAmong(
  good: readonly TimedRun<ReportRun>[],
  { inside, before }: {
    readonly inside?: readonly string[] | undefined;
    readonly before?: EarlierRuns | undefined;
  },
): Outsider[] {
  const listing = good.filter(({ run }) => run.recipients);
  const newest = listing.at(-1)?.run.recipients ?? [];
  const always = endFirstRuns(listing, before?.firstStart ?? Infinity);
  if (newest.length === 0 || always === null) return [];
  const places = rememberPlaces();
  const firstSeen = new Map<string, number>();
  const see = (recipient: Recipient, time: number) => {
    const place = places(recipient);
    if (place && !(firstSeen.get(place.name)! <= time)) firstSeen.set(place.name, time);
  };
  for (const { recipient, first } of before?.recipients ?? []) see(recipient, first);
  for (const { run, time } of listing) for (const each of run.recipients!) see(each, time);
  const late = newest.flatMap((recipient) => {
    const place = places(recipient);
    const isLate = place && firstSeen.get(place.name)! > always;
    return isLate ? [{ recipient, domain: place.domain }] : [];
  });
  if (late.length === 0) return [];
  const insiders = new Set(inside?.map(canonicalDomain) ?? mostFrequent(listing, places));
  const outside = late.filter(({ domain }) => !isWithin(domain, insiders));
  const identify = peopleAmong([
    ...listing.map(({ run }) => run.recipients),
    ...before?.recipients.map(({ recipient }) => [recipient]) ?? [],
  ]);
  const people = new Map(outside.map((each) => [identify(each.recipient).key, each]));
  const begins = listedSince(listing, new Set(people.keys()), identify);
  // The first entry of a person counts.
  const earlier = new Map(
    before?.recipients.map((one) => [identify(one.recipient).key, one.first] as const).reverse(),
  );
  return [...people].map(([key, { recipient, domain }]) => {
    const begin = begins.get(key)!;
    const { run: { id }, time } = listing[begin];
    const first = begin > 0 ? undefined : earlier.get(key);
    const { emailAddress } = recipient;
    // As it is written: in DNS, letters of other scripts look like none.
    const resembles = resembledDomain(domainOf(emailAddress)!, insiders);
    const isTheirs = identify({ emailAddress }).key === key;
    return {
      recipient,
      domain,
      ...(resembles && { resembles }),
      digests: [digest(key), ...isTheirs ? digestsOf({ emailAddress }) : []],
      run: id,
      since: Math.min(time, first ?? time),
    };
  });
}

/** The index of the first of the newest runs in a row that list each of these, who are in the last. */
function listedSince(
  listing: readonly TimedRun<ReportRun>[],
  keys: ReadonlySet<string>,
  identify: ReturnType<typeof peopleAmong>,
): ReadonlyMap<string, number> {
  const begins = new Map<string, number>();
  let listed = [...keys];
  for (let at = listing.length - 1; at >= 0 && listed.length > 0; at--) {
    const inRun = new Set(listing[at].run.recipients!.map((each) => identify(each).key));
    listed = listed.filter((key) => inRun.has(key));
    for (const key of listed) begins.set(key, at);
  }
  return begins;
}

/** When the first runs were over, of which nobody knows whom earlier ones had; null if not yet. */
function endFirstRuns(
  listing: readonly TimedRun<ReportRun>[],
  firstStart: number,
): number | null {
  const listed = listing.filter(({ run }) => run.recipients!.length > 0);
  if (listed.length === 0) return null;
  if (firstStart >= listed[0].time) {
    return listed.length > FIRST_RUNS ? listed[FIRST_RUNS - 1].time : null;
  }
  const gaps = listed.slice(1).map(({ time }, at) => time - listed[at].time);
  // Between the last of them and the next.
  return firstStart + (FIRST_RUNS - 0.5) * (quantile(gaps, 0.5) ?? 0);
}

/** The domain of an address, and what makes it known: the domain, or at some hosts the address. */
interface Place {
  readonly domain: string;
  readonly name: string;
}

/** Returns a function that finds the place of recipients, and remembers it. */
function rememberPlaces(): (recipient: Recipient) => Place | null {
  const known = new Map<string, Place | null>();
  return ({ emailAddress }) => {
    if (!emailAddress) return null;
    let place = known.get(emailAddress);
    if (place === undefined) {
      const written = domainOf(emailAddress);
      const domain = written === undefined ? "" : canonicalDomain(written);
      const address = comparedAddress(emailAddress) ?? emailAddress;
      place = domain ? { domain, name: PRIVATE_HOSTS.test(domain) ? address : domain } : null;
      known.set(emailAddress, place);
    }
    return place;
  };
}

/** The domain that most recipients have, without hosts where anybody can have an address. */
function mostFrequent(
  listing: readonly TimedRun<ReportRun>[],
  places: ReturnType<typeof rememberPlaces>,
): string[] {
  const counts = new Map<string, number>();
  for (const { run } of listing) {
    for (const recipient of run.recipients!) {
      const place = places(recipient);
      if (place?.name === place?.domain && place) {
        counts.set(place.name, (counts.get(place.name) ?? 0) + 1);
      }
    }
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most ? [most[0]] : [];
}

/** Whether a domain is one of these, or a subdomain of one, such as mail.example.com. */
export function isWithin(domain: string, domains: ReadonlySet<string>): boolean {
  if (domains.has(domain)) return true;
  const dot = domain.indexOf(".");
  return dot >= 0 && isWithin(domain.slice(dot + 1), domains);
}

export function outsiderKey(recipient: Recipient, shared?: ReadonlySet<number>): string {
  return digest(recipientKey(recipient, shared));
}

/** The digests by which a person may be known: of the user id and of the address. */
export function digestsOf({ emailAddress, ...recipient }: Recipient): string[] {
  return [
    ...(ownUserId(recipient) === null ? [] : [outsiderKey(recipient)]),
    ...(emailAddress ? [outsiderKey({ emailAddress })] : []),
  ];
}

/** A short digest, so that what is stored names nobody. */
function digest(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (const letter of text) {
    const code = letter.codePointAt(0)!;
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return (high >>> 0).toString(36) + (low >>> 0).toString(36);
}
