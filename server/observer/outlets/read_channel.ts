/** Which addresses channels may have: checked when one is saved, and before each message. */
import { maskAddress } from "../../../lib/runs/recipients.ts";
import {
  addresses,
  type ObserverSettings,
  receiverUrl,
  webhookSecret,
} from "../../config/observer_settings.ts";
import { check, isUrl } from "../../config/setting_values.ts";
import type { ChannelKind } from "../../store/records/owners.ts";

export type ChannelSettings = Pick<ObserverSettings, "mailServer" | "webhookHosts">;

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

/**
 * Reads the text of a channel, as it is entered or as it was saved.
 *
 * @throws {InvalidSetting} Says what is allowed, and never quotes the text, which may be a secret
 */
export function readChannel(
  kind: ChannelKind,
  text: string,
  settings: ChannelSettings,
): { readonly secret: string; readonly hint: string } {
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
      check(
        settings.webhookHosts.includes(host),
        `be on a host that WEBHOOK_HOSTS names, not ${host}`,
      );
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
