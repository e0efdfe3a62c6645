/** Saves, renames and tests owners, and assigns them to schedules. */
import type { Sealing } from "../auth/sealing.ts";
import {
  addresses,
  type ObserverSettings,
  receiverUrl,
  webhookSecret,
} from "../config/observer_settings.ts";
import { check, InvalidSetting, isUrl, isZone } from "../config/setting_values.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  type Owner,
  type QuietHours,
  type SealedChannel,
} from "../store/records/owners.ts";
import { type Acting, watchEvent } from "../store/records/events.ts";
import { textIssue } from "../http/shape.ts";
import { MAX_CHARACTERS, nameKey } from "../store/text.ts";
import { testEvent } from "./event.ts";
import { newDeliveryId } from "./outbox.ts";
import { OutletError, type Send } from "./outlets/outlet.ts";
import { createChannels } from "./outlets/outlets.ts";
import { maskAddress } from "../../lib/runs/recipients.ts";

export interface OwnerServices {
  readonly records: ObserverRecords;
  readonly sealing: Sealing;
  readonly settings: Pick<ObserverSettings, "mailServer" | "webhookHosts">;
  readonly send?: Send;
}

/** For each wrong field, what it must be. */
export type OwnerIssues = Readonly<Partial<Record<"owner" | "quiet" | ChannelKind, string>>>;

/** Adds or changes an owner; if anything is wrong, saves nothing and returns that. */
export async function saveOwner(
  { records: { owners }, sealing, settings }: OwnerServices,
  { name, to = name, channels, quiet }: {
    readonly name: string;
    /** Its new name, if it is renamed. */
    readonly to?: string;
    /** The entered texts of channels; null removes a channel, and undefined changes nothing. */
    readonly channels: Readonly<Partial<Record<ChannelKind, string | null>>>;
    /** Null for none; undefined changes nothing. */
    readonly quiet?: QuietHours | null;
  },
  { actor, now }: Acting,
): Promise<OwnerIssues> {
  const issues: Partial<Record<keyof OwnerIssues, string>> = {};
  const isTaken = to !== name && nameKey(to) !== nameKey(name) && await owners.get(to);
  const issue = nameIssue(to) ?? (isTaken ? TAKEN : undefined);
  if (issue) issues.owner = issue;
  if (quiet && !isQuiet(quiet)) {
    issues.quiet = "must be two different times such as 20:00 and 07:00, and a zone such as UTC";
  }
  const sealed: Partial<Record<ChannelKind, SealedChannel | null>> = {};
  for (const kind of CHANNEL_KINDS) {
    const text = channels[kind];
    if (text === undefined) continue;
    if (text === null) {
      sealed[kind] = null;
      continue;
    }
    try {
      const { secret, hint } = readChannel(kind, text, settings);
      sealed[kind] = {
        id: `${kind}-${crypto.getRandomValues(new Uint8Array(6)).toHex()}`,
        ownerKey: nameKey(to),
        sealed: await sealing.seal(secret),
        kind,
        hint,
        created: now,
      };
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      issues[kind] = error.message;
    }
  }
  if (Object.keys(issues).length > 0) return issues;
  const before = await owners.get(name);
  const owner = { quiet: quiet === undefined ? before?.quiet ?? null : quiet, changed: now, actor };
  if (to !== name) {
    // First, as it may be refused: schedules that are hidden from somebody may have the new name.
    if (!before) await owners.save({ ...owner, name }, {});
    if (!await owners.rename(name, to.trim(), { actor, now })) return { owner: TAKEN };
  }
  await owners.save({ ...owner, name: to.trim() }, sealed);
  return {};
}

const TAKEN = "must be a name that no other owner has";

function nameIssue(name: string): string | undefined {
  const { length } = name.trim();
  return length > 0 && length <= MAX_CHARACTERS.name
    ? textIssue(name)
    : `must be a name of 1 to ${MAX_CHARACTERS.name} characters`;
}

function isQuiet({ from, to, zone }: QuietHours): boolean {
  const isClock = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
  return isClock(from) && isClock(to) && from !== to && isZone(zone);
}

/** Sets the owner of schedules; an empty name means nobody. Returns the unwatched ones. */
export async function assignOwner(
  { watches }: Pick<ObserverRecords, "watches">,
  scheduleIds: readonly number[],
  name: string,
  by: Acting,
): Promise<readonly number[]> {
  const unwatched: number[] = [];
  for (const scheduleId of scheduleIds) {
    const note = name === "" ? "No owner" : `Owner: ${name}`;
    const done = watchEvent("watch changed", { ...by, scheduleId }, { note });
    const isDone = await watches.change(scheduleId, { note: name }, by.now, [done]);
    if (!isDone) unwatched.push(scheduleId);
  }
  return unwatched;
}

/** Sends a test through each channel of an owner; `error` is why it failed, or null. */
export function testChannels(
  services: OwnerServices,
  owner: Owner,
  { now, origin }: { readonly now: number; readonly origin: string },
): Promise<readonly { readonly kind: ChannelKind; readonly error: string | null }[]> {
  const channels = createChannels(services);
  return Promise.all(owner.channels.map(async ({ id, kind }) => {
    try {
      const outlet = await channels.open(id);
      const message = { id: newDeliveryId(), event: testEvent(now, origin) };
      return { kind, error: await outlet?.send([message], now) ?? null };
    } catch (error) {
      if (!(error instanceof OutletError)) throw error;
      return { kind, error: error.message };
    }
  }));
}

/** Slack, and GovSlack. */
const SLACK_HOSTS: readonly string[] = ["hooks.slack.com", "hooks.slack-gov.com"];
/** The ends of hosts of Workflows, also of the US government's clouds: GCC, GCC High and DoD. */
const TEAMS_HOSTS: readonly string[] = [
  ".logic.azure.com",
  ".api.powerplatform.com",
  ".logic.azure.us",
  ".api.gov.powerplatform.microsoft.us",
  ".api.high.powerplatform.microsoft.us",
  ".api.appsplatform.us",
];

/** @throws {InvalidSetting} Says what is allowed, and never quotes the text, which may be a secret. */
function readChannel(
  kind: ChannelKind,
  text: string,
  settings: Pick<ObserverSettings, "mailServer" | "webhookHosts">,
) {
  switch (kind) {
    case "mail": {
      const list = addresses(text, 50);
      check(settings.mailServer !== null, "wait until SMTP_URL and MAIL_FROM are set");
      return { secret: list.join(","), hint: list.map(maskAddress).join(", ") };
    }
    case "slack":
      return ofUrl(
        text,
        (host) => SLACK_HOSTS.includes(host),
        `be an incoming webhook's URL, which begins with ${
          SLACK_HOSTS.map((host) => `https://${host}/`).join(" or ")
        }`,
      );
    case "teams":
      return ofUrl(
        text,
        (host) => TEAMS_HOSTS.some((end) => host.endsWith(end)),
        `be a Workflows webhook's URL: https, on a host that ends with ${TEAMS_HOSTS.join(" or ")}`,
      );
    case "webhook": {
      const [url = "", secret = "", ...more] = text.trim().split(/\s+/);
      check(more.length === 0, "be a URL and its secret");
      const { host } = new URL(receiverUrl(url));
      check(settings.webhookHosts.includes(host), "be on a host that WEBHOOK_HOSTS names");
      return { secret: `${url} ${webhookSecret(secret, "have a secret:")}`, hint: host };
    }
  }
}

function ofUrl(text: string, isHost: (host: string) => boolean, rule: string) {
  const url = URL.parse(text.trim());
  check(
    isUrl(url, "https:") && isHost(url.host) && url.pathname.length > 1 && !url.username,
    rule,
  );
  return { secret: url.href, hint: url.host };
}
