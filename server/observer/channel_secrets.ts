/** Reads what people enter for an owner's channel: addresses, or a secret URL. */
import { maskAddress } from "../../lib/runs/mask.ts";
import {
  addresses,
  type ObserverSettings,
  receiverUrl,
  webhookSecret,
} from "../config/observer_settings.ts";
import { check, isUrl } from "../config/setting_values.ts";
import type { ChannelKind } from "../store/observer/owners.ts";

export const SLACK_HOST = "hooks.slack.com";

export const TEAMS_HOSTS = [".logic.azure.com", ".api.powerplatform.com"] as const;

/** @throws {InvalidSetting} Says what it must be, and never repeats what was entered. */
export function readChannel(
  kind: ChannelKind,
  text: string,
  settings: Pick<ObserverSettings, "mailServer" | "webhookHosts">,
) {
  switch (kind) {
    case "mail": {
      const list = addresses(text, 50);
      check(settings.mailServer !== null, "wait until SMTP_URL and MAIL_FROM are set");
      return { secret: list.join(","), shown: list.map(maskAddress).join(", ") };
    }
    case "slack":
      return ofUrl(
        text,
        (host) => host === SLACK_HOST,
        `be an incoming webhook's URL, which begins with https://${SLACK_HOST}/`,
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
      return { secret: `${url} ${webhookSecret(secret)}`, shown: host };
    }
  }
}

function ofUrl(text: string, isHost: (host: string) => boolean, rule: string) {
  const url = URL.parse(text.trim());
  check(
    isUrl(url, "https:") && isHost(url.host) && url.pathname.length > 1 && !url.username,
    rule,
  );
  return { secret: url.href, shown: url.host };
}
