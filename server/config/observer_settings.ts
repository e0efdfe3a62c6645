/** The observer's settings: its token, its interval, and where it sends incidents. */
import { percentDecoded } from "../../lib/format.ts";
import { optional, setting, type SettingsReader } from "./setting_table.ts";
import { check, isUrl, parseChoice, parseList, serviceToken, token } from "./setting_values.ts";

export const OBSERVER_SETTINGS = {
  token: optional("OBSERVER_TOKEN", serviceToken),
  /** The shortest time between two polls of a schedule, in milliseconds. */
  everyMs: setting("OBSERVE_EVERY", interval, 60_000),
  webhookUrl: optional("WEBHOOK_URL", receiverUrl),
  secret: optional("WEBHOOK_SECRET", webhookSecret),
  alertmanagerUrl: optional("ALERTMANAGER_URL", alertmanagerUrl),
  smtpUrl: optional("SMTP_URL", mailServerUrl),
  from: optional("MAIL_FROM", (text) => addresses(text, 1)[0]),
  mailTo: setting("MAIL_TO", (text) => addresses(text, 50), []),
  /** The hosts to which owners' webhooks may lead, with a port if that is not the usual one. */
  webhookHosts: setting("WEBHOOK_HOSTS", (text) => hostList(text.toLowerCase()), []),
  /** Whether the default outlets are also sent the critical incidents of owners. */
  notifiesDefault: setting(
    "NOTIFY_DEFAULT",
    (text) => parseChoice(["none", "critical"])(text) === "critical",
    false,
  ),
  heartbeatUrl: optional("HEARTBEAT_URL", receiverUrl),
  /** The bearer token of `/metrics`, which is a 404 without it. */
  metricsToken: optional("METRICS_TOKEN", metricsToken),
};

export type ObserverSettings = ReturnType<typeof readObserverSettings>;

export interface MailServer {
  readonly smtpUrl: string;
  readonly from: string;
}

export function readObserverSettings(reader: SettingsReader) {
  const { webhookUrl, secret, smtpUrl, from, ...settings } = reader.read(OBSERVER_SETTINGS);
  const { mailTo, webhookHosts } = settings;
  reader.requireTogether("WEBHOOK_URL", "WEBHOOK_SECRET");
  reader.requireTogether("SMTP_URL", "MAIL_FROM");
  if (mailTo.length > 0) reader.requireTogether("SMTP_URL", "MAIL_FROM", "MAIL_TO");
  const mailServer: MailServer | null = smtpUrl && from ? { smtpUrl, from } : null;
  return {
    ...settings,
    webhook: webhookUrl && secret ? { url: webhookUrl, secret } : null,
    mailServer,
    webhookHosts: [...webhookHosts, ...webhookUrl ? [new URL(webhookUrl).host] : []],
  };
}

/** A receiver's URL. It has no user, password or fragment, because requests would leave them out. */
export function receiverUrl(text: string): string {
  const url = URL.parse(text);
  check(isUrl(url, "http:", "https:"), "be an http or https URL");
  check(!url.username && !url.password && !url.hash, "have no user, password or fragment");
  return url.href;
}

/** A secret of Standard Webhooks: 24 to 64 bytes in Base64 after a fixed prefix. */
export function webhookSecret(text: string, rule = "be"): string {
  const length = text.startsWith("whsec_") ? bytesInBase64(text.slice("whsec_".length)) : 0;
  const how = "make one with `echo whsec_$(openssl rand -base64 32)`";
  check(length >= 24 && length <= 64, `${rule} whsec_ and 24 to 64 bytes in Base64: ${how}`);
  return text;
}

/** The number of bytes in a Base64 text; 0 for any other text. */
function bytesInBase64(text: string): number {
  try {
    return atob(text).length;
  } catch {
    return 0;
  }
}

/** A URL that may have a user and a password, for basic authentication. */
function alertmanagerUrl(text: string): string {
  const url = URL.parse(text);
  const example = "https://user:password@alertmanager.example.com";
  const isUsable = isUrl(url, "http:", "https:") && percentDecoded(text) !== undefined;
  check(isUsable, `be an http or https URL, such as ${example}`);
  check(!url.search && !url.hash, "have no query or fragment");
  return url.href;
}

function mailServerUrl(text: string): string {
  const url = URL.parse(text);
  const example = "smtps://user:password@mail.example.com:465";
  check(isUrl(url, "smtp:", "smtps:") && url.hostname !== "", `be a URL of the form ${example}`);
  const tls = url.searchParams.get("tls");
  const isKnown = tls === null || tls === "off" && url.protocol === "smtp:";
  check(isKnown, "have no tls, or ?tls=off at the end of an smtp:// URL");
  url.port ||= url.protocol === "smtps:" ? "465" : "587";
  return url.href;
}

const ADDRESS_PART = String.raw`[^\s\p{Cc}@<>,;:"()[\]\\]+`;
const ADDRESS = new RegExp(`^${ADDRESS_PART}@${ADDRESS_PART}$`, "u");

/** Whether a text is an email address, without quotes or brackets. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

export function addresses(text: string, max: number): readonly string[] {
  const allowed = max === 1
    ? "be an email address, such as docket@example.com"
    : `be 1 to ${max} email addresses, separated by commas, such as ops@example.com`;
  const list = parseList(isAddress, allowed)(text);
  check(list.length <= max, allowed);
  return list;
}

const hostList = parseList(
  (each) => URL.parse(`https://${each}`)?.host === each,
  "be hosts separated by commas, such as hooks.example.com,alerts.example.com:8443",
);

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A time such as 60s, from a second to an hour. */
function interval(text: string): number {
  const [, count, unit] = /^(\d{1,4})([smh])$/.exec(text) ?? [];
  const ms = Number(count) * UNITS[unit as keyof typeof UNITS];
  check(ms >= 1000 && ms <= 3_600_000, "be a time from 1s to 1h, such as 60s or 5m");
  return ms;
}

const METRICS_TOKEN_LENGTH = 16;

function metricsToken(text: string): string {
  check(
    text.length >= METRICS_TOKEN_LENGTH,
    `have at least ${METRICS_TOKEN_LENGTH} characters: make one with \`openssl rand -hex 32\``,
  );
  return token(text);
}
