/**
 * Which recipients are new from outside, one run after the other. What is known after a run is plain
 * JSON, and holds no address.
 */
import type { Recipient, ReportRun } from "../types.ts";
import { canonicalDomain, resembledDomain } from "./look_alike.ts";
import { domainOf, recipientKey } from "./recipients.ts";

const DAY = 86_400_000;
/** Recipients are new for this long. */
const NEW_MS = 30 * DAY;
/** What was seen within this time is known. */
const KNOWN_MS = 365 * DAY;
/** After this many runs it is known who is usual; after fewer if all were at one domain. */
const ENOUGH_RUNS = 10;
const ENOUGH_OF_ONE_DOMAIN = 2;
/** At most this many addresses at private hosts are remembered. */
const MOST_PRIVATE = 1000;

/** When something was seen for the first and the last time, in milliseconds since 1970. */
type Seen = [first: number, last: number];

/** A recipient who is new from outside. */
export interface Outsider {
  /** Stands for the recipient: a digest of the user id or the address. */
  readonly key: string;
  readonly domain: string;
  /** The known domain that this one looks like. */
  readonly resembles?: string;
  /** The first run to the recipient, and when it started. */
  readonly run: number;
  readonly since: number;
}

/** Who is known to receive a schedule's reports: plain JSON. */
export interface OutsiderMemory {
  /** How many runs listed anybody. */
  runs: number;
  domains: Record<string, Seen>;
  /** Addresses at hosts where anybody can have one, as digests. */
  privates: Record<string, Seen>;
  outsiders: Outsider[];
}

/** Nobody is known yet. */
export function noOutsiders(): OutsiderMemory {
  return { runs: 0, domains: {}, privates: {}, outsiders: [] };
}

/** Reads the recipients of the next run. */
export function readOutsiders(
  memory: OutsiderMemory,
  { id, recipients }: Pick<ReportRun, "id" | "recipients">,
  time: number,
): void {
  memory.outsiders = memory.outsiders.filter(({ since }) => time - since < NEW_MS);
  if (!recipients || recipients.length === 0) return;
  const isLearning = memory.runs < enoughRuns(memory);
  for (const recipient of recipients) readRecipient(memory, recipient, { id, time, isLearning });
  memory.runs++;
}

function enoughRuns({ domains }: OutsiderMemory): number {
  return Object.keys(domains).length === 1 ? ENOUGH_OF_ONE_DOMAIN : ENOUGH_RUNS;
}

function readRecipient(
  memory: OutsiderMemory,
  recipient: Recipient,
  { id, time, isLearning }: {
    readonly id: number;
    readonly time: number;
    readonly isLearning: boolean;
  },
): void {
  const { emailAddress } = recipient;
  const written = domainOf(emailAddress);
  if (written === undefined) return;
  const domain = canonicalDomain(written);
  const isPrivate = privateHosts().test(domain);
  const seen = isPrivate ? memory.privates : memory.domains;
  const name = isPrivate ? digest(emailAddress!.toLowerCase()) : domain;
  const before = seen[name];
  const isKnown = isLearning || (before !== undefined && time - before[1] < KNOWN_MS &&
    time - before[0] >= NEW_MS) ||
    before?.[0] === 0 ||
    !isPrivate && isWithinKnown(memory, domain, time);
  const key = outsiderKey(recipient);
  if (!isKnown && !memory.outsiders.some((one) => one.key === key && one.domain === domain)) {
    const resembles = resembledDomain(written, usualDomains(memory, time));
    memory.outsiders.push({ key, domain, ...(resembles && { resembles }), run: id, since: time });
  }
  const isForgotten = before === undefined || time - before[1] >= KNOWN_MS;
  seen[name] = isForgotten ? [isLearning ? 0 : time, time] : [before[0], time];
  if (isPrivate) forgetOldest(memory.privates);
}

/** A subdomain of a known domain, such as mail.example.com, is known. */
function isWithinKnown(memory: OutsiderMemory, domain: string, time: number): boolean {
  return usualDomains(memory, time).some((known) => domain.endsWith(`.${known}`));
}

/** The domains that are no longer new. */
function usualDomains({ domains }: OutsiderMemory, time: number): string[] {
  return Object.entries(domains).flatMap(([domain, [first, last]]) =>
    time - last < KNOWN_MS && time - first >= NEW_MS ? domain : []
  );
}

function forgetOldest(privates: Record<string, Seen>): void {
  const names = Object.keys(privates);
  if (names.length <= MOST_PRIVATE) return;
  const oldest = names.reduce((a, b) => privates[a][1] <= privates[b][1] ? a : b);
  delete privates[oldest];
}

/** What stands for a recipient among the outsiders. */
export function outsiderKey(recipient: Recipient): string {
  return digest(recipientKey(recipient));
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

/** Hosts where anybody can have an address: one address there does not make another one usual. */
function privateHosts(): RegExp {
  return /^((gmail|googlemail|outlook|hotmail|live|msn|icloud|me|mac|aol|protonmail|mail|fastmail|yandex|zoho|qq|163|126)\.com|(yahoo|hotmail|live|outlook|gmx)\.[a-z.]{2,6}|proton\.me|pm\.me|web\.de|t-online\.de|freenet\.de|orange\.fr|laposte\.net|mail\.ru|tutanota\.com|hey\.com)$/;
}
