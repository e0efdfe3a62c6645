/** The configured outlets. */
import { createHash } from "node:crypto";
import type { ObserverSettings } from "../../config/observer_settings.ts";
import { alertmanagerOutlet } from "./alertmanager.ts";
import { mailOutlet } from "./mail.ts";
import type { Outlet } from "./outlet.ts";
import { webhookOutlet } from "./webhook.ts";

/** Every configured outlet. */
export function outletsOf(settings: ObserverSettings): readonly Outlet[] {
  const { webhook, alertmanagerUrl, mail } = settings;
  return [
    ...(webhook ? [{ ...webhookOutlet(webhook), receiver: hashOf(webhook.url) }] : []),
    ...(alertmanagerUrl ? [alertmanagerOutlet(alertmanagerUrl)] : []),
    ...(mail ? [mailOutlet(mail)] : []),
  ];
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
