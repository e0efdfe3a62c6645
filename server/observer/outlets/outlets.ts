/** Opens the outlets of this process: those in its settings, and the channels of owners. */
import { createHash } from "node:crypto";
import type { Sealing } from "../../auth/sealing.ts";
import type { ObserverSettings } from "../../config/observer_settings.ts";
import { InvalidSetting } from "../../config/setting_values.ts";
import type { ObserverRecords } from "../../store/records/observer_records.ts";
import type { SealedChannel } from "../../store/records/owners.ts";
import { alertmanagerOutlet } from "./alertmanager.ts";
import { mailOutlet } from "./mail.ts";
import { type Outlet, OutletError, postJson, type Send } from "./outlet.ts";
import { slackBody, teamsBody } from "./chat.ts";
import { type ChannelSettings, readChannel } from "./read_channel.ts";
import { webhookOutlet } from "./webhook.ts";

export function createOutlets(settings: ObserverSettings): readonly Outlet[] {
  const { webhook, alertmanagerUrl, mailServer, mailTo } = settings;
  return [
    ...(webhook ? [{ ...webhookOutlet(webhook), receiver: hashReceiver(webhook.url) }] : []),
    ...(alertmanagerUrl ? [alertmanagerOutlet(alertmanagerUrl)] : []),
    ...(mailServer && mailTo.length > 0 ? [mailOutlet({ ...mailServer, to: mailTo })] : []),
  ];
}

function hashReceiver(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Opens the channels of owners. */
export function createChannels({ records, sealing, settings, send }: {
  readonly records: Pick<ObserverRecords, "owners">;
  readonly sealing: Sealing;
  readonly settings: ChannelSettings;
  readonly send?: Send;
}) {
  function outletFor({ id, kind }: SealedChannel, secret: string): Outlet {
    switch (kind) {
      case "slack":
        return { name: id, send: (messages) => postJson(secret, slackBody(messages), send) };
      case "teams":
        return { name: id, send: (messages) => postJson(secret, teamsBody(messages), send) };
      case "webhook": {
        const [url, key] = secret.split(" ");
        return webhookOutlet({ url, secret: key, name: id }, send);
      }
      case "mail":
        // It is set: the channel was checked before.
        return mailOutlet({ ...settings.mailServer!, to: secret.split(","), name: id });
    }
  }

  return {
    async open(id: string): Promise<Outlet | null> {
      const channel = await records.owners.channel(id);
      if (!channel) return null;
      const secret = await sealing.open(channel.sealed);
      if (typeof secret !== "string") return unusable(id, "it was sealed with another RECORDS_KEY");
      try {
        // A setting may have changed since it was saved.
        readChannel(channel.kind, secret, settings);
      } catch (error) {
        if (!(error instanceof InvalidSetting)) throw error;
        return unusable(id, `it ${error.message}`);
      }
      return outletFor(channel, secret);
    },
  };
}

function unusable(name: string, reason: string): Outlet {
  const send = () => Promise.reject(new OutletError(`This channel can't be used: ${reason}`));
  return { name, send };
}
