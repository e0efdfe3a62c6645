/** The configured outlets. */
import type { ObserverSettings } from "../../config/observer_settings.ts";
import { alertmanagerOutlet } from "./alertmanager.ts";
import { mailOutlet } from "./mail.ts";
import type { Outlet } from "./outlet.ts";
import { webhookOutlet } from "./webhook.ts";

/** Every configured outlet. */
export function outletsOf(settings: ObserverSettings): readonly Outlet[] {
  const { webhook, alertmanagerUrl, mail } = settings;
  return [
    ...(webhook ? [webhookOutlet(webhook)] : []),
    ...(alertmanagerUrl ? [alertmanagerOutlet(alertmanagerUrl)] : []),
    ...(mail ? [mailOutlet(mail)] : []),
  ];
}
