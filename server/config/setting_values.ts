/** Parsers of single settings. Each throws what is allowed. */
import { isIPv6 } from "node:net";
import { canonicalDomain } from "../../lib/runs/look_alike.ts";
import { parseStatuses, type StatusDictionary } from "../../lib/runs/status.ts";
import { isTokenText } from "../../lib/check.ts";
import { percentDecoded, wholeNumber } from "../../lib/format.ts";

/** Thrown while one variable is read; its message says what is allowed. */
export class InvalidSetting extends Error {}

export function check(isUsable: boolean, allowed: string): asserts isUsable {
  if (!isUsable) throw new InvalidSetting(`must ${allowed}`);
}

export function numberFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = wholeNumber(text) ?? NaN;
    check(value >= min && value <= max, `be a whole number from ${min} to ${max}`);
    return value;
  };
}

export function parseChoice<T extends string>(allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const value = allowed.find((value) => value === text);
    check(value !== undefined, `be ${allowed.length > 1 ? "one of " : ""}${allowed.join(", ")}`);
    return value;
  };
}

export function isOn(text: string): boolean {
  return parseChoice(["on", "off"])(text) === "on";
}

export function parseList(
  isItem: (text: string) => boolean,
  allowed: string,
): (text: string) => readonly string[] {
  return (text) => {
    const items = text.split(",").map((item) => item.trim());
    check(items.every(isItem), allowed);
    return items;
  };
}

/** Whether a text is the name or the address of a host, without a port. */
function isHost(text: string): boolean {
  return /^[\w-]+(\.[\w-]+)*\.?$/.test(text) || isIPv6(text);
}

export function host(text: string): string {
  check(isHost(text), "be a host name or an IP address, without a port");
  return text;
}

export function isUrl(url: URL | null, ...protocols: readonly string[]): url is URL {
  return url !== null && protocols.includes(url.protocol);
}

export function httpUrl(text: string): string {
  const url = URL.parse(text);
  const example = "https://service.example.com";
  check(isUrl(url, "http:", "https:"), `be an http or https URL, such as ${example}`);
  const isPlain = !url.username && !url.password && !url.search && !url.hash;
  check(isPlain, "have no user, password, query or fragment");
  return url.href;
}

export function origin(text: string): string {
  const url = URL.parse(text);
  const isOrigin = isUrl(url, "http:", "https:") && text.replace(/\/$/, "") === url.origin;
  check(isOrigin, "be an origin without a path, such as https://docket.example.com");
  return url.origin;
}

export function postgresUrl(text: string): string {
  const url = URL.parse(text);
  const example = "postgres://user:password@host:5432/database";
  const isUsable = isUrl(url, "postgres:", "postgresql:") && percentDecoded(text) !== undefined;
  check(isUsable, `be a URL of the form ${example}`);
  return text;
}

/** A number of days, such as `400d`, in milliseconds. */
export function days(min: number, max: number): (text: string) => number {
  return (text) => {
    const count = Number(/^(\d+)d$/.exec(text)?.[1]);
    check(count >= min && count <= max, `be from ${min}d to ${max}d, such as 400d`);
    return count * 86_400_000;
  };
}

export function domains(text: string): readonly string[] {
  const names = text.split(",").map((name) => canonicalDomain(name));
  const areDomains = names.every((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name));
  check(areDomains, "be domains separated by commas, such as example.com,example.org");
  return names;
}

export function statuses(text: string): StatusDictionary {
  try {
    return parseStatuses(text);
  } catch (error) {
    throw new InvalidSetting((error as TypeError).message);
  }
}

export function token(text: string): string {
  check(isTokenText(text), "be printable ASCII without spaces, as it is sent in a header");
  return text;
}

/** How a Docket token begins. Nothing that begins so is ever sent to a service. */
export const DOCKET_TOKEN = "docket_";

export function isDocketToken(token: string): boolean {
  return token.startsWith(DOCKET_TOKEN);
}

/** A token of the service. */
export function serviceToken(text: string): string {
  check(
    !isDocketToken(text),
    `be a token of the service: one that begins with ${DOCKET_TOKEN} is not`,
  );
  return token(text);
}

export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function zone(text: string): string {
  check(isZone(text), "be the IANA name of a time zone, such as Europe/Berlin");
  return text;
}
