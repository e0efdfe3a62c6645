/** Finds new recipients from outside, run by run. What it remembers is JSON without addresses. */
import { DAY } from "../time_units.ts";
import type { Recipient, ReportRun } from "../types.ts";
import { canonicalDomain, resembledDomain } from "./look_alike.ts";
import { comparedAddress, domainOf, ownUserId, recipientKey, sharedUserIds } from "./recipients.ts";
import { newestFirst } from "./times.ts";

/** Recipients are new for this long. */
const NEW_MS = 30 * DAY;
/** A domain or an address is known for this long after it was last seen. */
const KNOWN_MS = 365 * DAY;
/** The usual domains are known after this many runs; after fewer if all were at one domain. */
const ENOUGH_RUNS = 10;
const ENOUGH_OF_ONE_DOMAIN = 2;
/** At most this many domains, and addresses at private hosts, are remembered. */
const MAX_SEEN = 1000;
/** Hosts where anybody can have an address, so a usual address makes no other one usual. */
const PRIVATE_HOSTS =
  /^((gmail|googlemail|outlook|hotmail|live|msn|icloud|me|mac|aol|protonmail|mail|fastmail|yandex|zoho|qq|163|126)\.com|(yahoo|hotmail|live|outlook|gmx)\.[a-z.]{2,6}|proton\.me|pm\.me|web\.de|t-online\.de|freenet\.de|orange\.fr|laposte\.net|mail\.ru|tutanota\.com|hey\.com)$/;
/** At most this many new recipients of a run are compared with known domains. */
const MAX_COMPARED = 20;

/** When something was seen for the first and the last time, in milliseconds since 1970. */
type Seen = [first: number, last: number];

export interface Outsider {
  /** A digest of the recipient's user id or address. */
  readonly key: string;
  readonly domain: string;
  /** The known domain that `domain` looks like. */
  readonly resembles?: string;
  /** The first run sent to the recipient, and when it started. */
  readonly run: number;
  readonly since: number;
}

/** The known recipients of a schedule: plain JSON. */
export interface OutsiderMemory {
  /** How many runs listed recipients. */
  runs: number;
  domains: Record<string, Seen>;
  /** Addresses at hosts where anybody can have one, as digests. */
  privates: Record<string, Seen>;
  outsiders: Outsider[];
  /** The user ids that identify nobody. */
  shared: readonly number[];
}

export function emptyOutsiders(): OutsiderMemory {
  return { runs: 0, domains: {}, privates: {}, outsiders: [], shared: [] };
}

export function updateOutsiders(
  memory: OutsiderMemory,
  { id, recipients }: Pick<ReportRun, "id" | "recipients">,
  time: number,
): void {
  memory.outsiders = memory.outsiders.filter(({ since }) => time - since < NEW_MS);
  if (!recipients || recipients.length === 0) return;
  memory.shared = [...new Set([...memory.shared, ...sharedUserIds([recipients])])];
  const context = {
    shared: new Set(memory.shared),
    id,
    time,
    isLearning: memory.runs < enoughRuns(memory),
    usual: usualDomains(memory, time),
  };
  const known = memory.outsiders.length;
  for (const recipient of recipients) addRecipient(memory, recipient, context);
  for (const outsider of memory.outsiders.slice(known, known + MAX_COMPARED)) {
    const resembles = resembledDomain(outsider.domain, context.usual);
    if (resembles) Object.assign(outsider, { resembles });
  }
  for (const seen of [memory.domains, memory.privates]) forgetOldest(seen, time);
  memory.runs++;
}

function enoughRuns({ domains }: OutsiderMemory): number {
  return Object.keys(domains).length === 1 ? ENOUGH_OF_ONE_DOMAIN : ENOUGH_RUNS;
}

function addRecipient(
  memory: OutsiderMemory,
  recipient: Recipient,
  { shared, id, time, isLearning, usual }: {
    readonly shared: ReadonlySet<number>;
    readonly id: number;
    readonly time: number;
    readonly isLearning: boolean;
    readonly usual: ReadonlySet<string>;
  },
): void {
  const { emailAddress } = recipient;
  const written = domainOf(emailAddress);
  if (written === undefined) return;
  const domain = canonicalDomain(written);
  const isPrivate = PRIVATE_HOSTS.test(domain);
  const seen = isPrivate ? memory.privates : memory.domains;
  const name = isPrivate ? digest(comparedAddress(emailAddress)!) : domain;
  const before = seen[name];
  const isKnown = isLearning || before !== undefined && isUsual(before, time) ||
    !isPrivate && isWithin(domain, usual);
  const key = outsiderKey(recipient, shared);
  const isListed = memory.outsiders.some((other) => other.key === key && other.domain === domain);
  if (!isKnown && !isListed) memory.outsiders.push({ key, domain, run: id, since: time });
  const isForgotten = before === undefined || time - before[1] >= KNOWN_MS;
  seen[name] = isForgotten ? [isLearning ? 0 : time, time] : [before[0], time];
}

/** Whether a domain or an address was seen within a year, and is no longer new. */
function isUsual([first, last]: Seen, time: number): boolean {
  // Whatever the first runs list is usual from the start.
  return time - last < KNOWN_MS && (first === 0 || time - first >= NEW_MS);
}

/** Whether a domain is a subdomain of a usual one, such as mail.example.com. */
function isWithin(domain: string, usual: ReadonlySet<string>): boolean {
  for (let dot = domain.indexOf("."); dot >= 0; dot = domain.indexOf(".", dot + 1)) {
    if (usual.has(domain.slice(dot + 1))) return true;
  }
  return false;
}

function usualDomains({ domains }: OutsiderMemory, time: number): ReadonlySet<string> {
  return new Set(
    Object.entries(domains).flatMap(([domain, seen]) => isUsual(seen, time) ? domain : []),
  );
}

/** Forgets what was not seen for a year, and beyond a limit also what was seen longest ago. */
function forgetOldest(seen: Record<string, Seen>, time: number): void {
  const byAge = Object.entries(seen).sort(([, a], [, b]) => b[1] - a[1]);
  for (const [at, [name, [, last]]] of byAge.entries()) {
    if (at >= MAX_SEEN || time - last >= KNOWN_MS) delete seen[name];
  }
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

/** A new recipient with an address outside the usual domains. */
export interface Newcomer {
  /** The recipient, as the newest run lists them. */
  readonly recipient: Recipient;
  /** The domain of the address. */
  readonly domain: string;
  /** The known domain that `domain` looks like, such as `example.com` for `examp1e.com`. */
  readonly resembles?: string;
}

/** The recipients of runs who are among the outsiders. */
export function newcomersAmong(
  runs: readonly ReportRun[],
  outsiders: readonly Outsider[],
  sharedIds: readonly number[],
): Newcomer[] {
  if (outsiders.length === 0) return [];
  const shared = new Set(sharedIds);
  const recipients = new Map<string, Recipient>();
  for (const run of newestFirst(runs)) {
    for (const recipient of run.recipients ?? []) {
      const key = recipientKey(recipient, shared);
      if (!recipients.has(key)) recipients.set(key, recipient);
    }
  }
  const known = new Map(outsiders.map((outsider) => [outsider.key, outsider]));
  return [...recipients.values()].flatMap((recipient) => {
    const outsider = known.get(outsiderKey(recipient, shared));
    if (!outsider) return [];
    const { domain, resembles } = outsider;
    return [{ recipient, domain, ...(resembles && { resembles }) }];
  });
}
