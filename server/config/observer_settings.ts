/** The observer's settings: its token, its interval, and where it sends incidents. */
import { check, httpUrl, isUrl, oneOf, token } from "./setting_values.ts";

export const OBSERVER_VARIABLES = [
  "OBSERVER_TOKEN",
  "OBSERVE_EVERY",
  "WEBHOOK_URL",
  "WEBHOOK_SECRET",
  "ALERTMANAGER_URL",
  "SMTP_URL",
  "MAIL_FROM",
  "MAIL_TO",
  "WEBHOOK_HOSTS",
  "NOTIFY_DEFAULT",
  "HEARTBEAT_URL",
  "METRICS_TOKEN",
] as const;

/** The observer's settings; each outlet is null until it is set. */
export interface ObserverSettings {
  /** The developer token that the observer shows to an upstream. */
  readonly token: string | null;
  /** The shortest time between two polls of a schedule, in milliseconds. */
  readonly everyMs: number;
  readonly webhook: { readonly url: string; readonly secret: string } | null;
  readonly alertmanagerUrl: string | null;
  /** The mail server and the sender, and the recipients for schedules without an owner. */
  readonly mailServer: MailServer | null;
  readonly mailTo: readonly string[];
  /** The hosts to which owners' webhooks may lead. */
  readonly webhookHosts: readonly string[];
  /** Whether critical incidents are sent to these outlets even if an owner is sent them. */
  readonly notifiesDefault: boolean;
  readonly heartbeatUrl: string | null;
  /** The bearer token of `/metrics`, which is a 404 without it. */
  readonly metricsToken: string | null;
}

export interface MailServer {
  readonly smtpUrl: string;
  readonly from: string;
}

/** Reads one variable; `parse` throws what is wrong with it, which is then reported. */
export type ReadSetting = <T>(variable: string, fallback: T, parse: (text: string) => T) => T;

/** Reports each of some settings that is missing, unless all of them are. */
export function requireTogether(
  read: ReadSetting,
  report: (variable: string, detail: string) => void,
  names: readonly string[],
): void {
  const given = names.filter((name) => read(name, false, () => true));
  if (given.length === 0) return;
  for (const name of names.filter((each) => !given.includes(each))) {
    report(name, `is required together with ${given.join(" and ")}`);
  }
}

/** Reads the observer's settings; `report` is called for settings that are missing beside others. */
export function readObserverSettings(
  read: ReadSetting,
  report: (variable: string, detail: string) => void,
): ObserverSettings {
  const text = (name: string, parse: (text: string) => string) =>
    read<string | null>(name, null, parse);

  const webhookUrl = text("WEBHOOK_URL", receiverUrl);
  const secret = text("WEBHOOK_SECRET", webhookSecret);
  const smtpUrl = text("SMTP_URL", mailServerUrl);
  const from = text("MAIL_FROM", (value) => addresses(value, 1)[0]);
  const mailTo = read<readonly string[]>("MAIL_TO", [], (value) => addresses(value, 50));
  const hosts = read<readonly string[]>("WEBHOOK_HOSTS", [], hostList);

  requireTogether(read, report, ["WEBHOOK_URL", "WEBHOOK_SECRET"]);
  requireTogether(read, report, ["SMTP_URL", "MAIL_FROM"]);
  if (mailTo.length > 0) requireTogether(read, report, ["SMTP_URL", "MAIL_FROM", "MAIL_TO"]);

  return {
    token: text("OBSERVER_TOKEN", token),
    everyMs: read("OBSERVE_EVERY", 60_000, interval),
    webhook: webhookUrl && secret ? { url: webhookUrl, secret } : null,
    alertmanagerUrl: text("ALERTMANAGER_URL", httpUrl),
    mailServer: smtpUrl && from ? { smtpUrl, from } : null,
    mailTo,
    webhookHosts: [...hosts, ...webhookUrl ? [new URL(webhookUrl).host] : []],
    notifiesDefault: read("NOTIFY_DEFAULT", "none", oneOf(["none", "critical"])) === "critical",
    heartbeatUrl: text("HEARTBEAT_URL", receiverUrl),
    metricsToken: text("METRICS_TOKEN", metricsToken),
  };
}

/** A receiver's URL: no user, password or fragment, which a request would drop. */
export function receiverUrl(text: string): string {
  const url = URL.parse(text);
  check(isUrl(url, "http:", "https:"), "be an http or https URL");
  check(!url.username && !url.password && !url.hash, "carry no user, password or fragment");
  return url.href;
}

/** A secret of Standard Webhooks: 24 to 64 bytes in Base64, after a prefix that says so. */
export function webhookSecret(text: string): string {
  const length = text.startsWith("whsec_") ? bytesInBase64(text.slice("whsec_".length)) : 0;
  const how = "make one with `echo whsec_$(openssl rand -base64 32)`";
  check(length >= 24 && length <= 64, `be whsec_ and 24 to 64 bytes in Base64: ${how}`);
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

function mailServerUrl(text: string): string {
  const url = URL.parse(text);
  const isMailServer = isUrl(url, "smtp:", "smtps:") && url.hostname !== "";
  check(isMailServer, "be a URL of the form smtps://user:password@mail.example.com:465");
  return text;
}

export function addresses(text: string, most: number): readonly string[] {
  const list = text.split(",").map((part) => part.trim());
  const part = String.raw`[^\s\p{Cc}@<>,;:"()[\]\\]+`;
  const address = new RegExp(`^${part}@${part}$`, "u");
  const isAddress = (text: string) => address.test(text);
  const allowed = most === 1
    ? "be an email address, such as docket@example.com"
    : `be 1 to ${most} email addresses, separated by commas, such as ops@example.com`;
  check(list.length <= most && list.every(isAddress), allowed);
  return list;
}

/** Hosts, with a port if that is not the usual one. */
function hostList(text: string): readonly string[] {
  const hosts = text.split(",").map((part) => part.trim().toLowerCase());
  check(
    hosts.every((each) => URL.parse(`https://${each}`)?.host === each),
    "be hosts separated by commas, such as hooks.example.com,alerts.example.com:8443",
  );
  return hosts;
}

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
