/** Standard Webhooks: one signed request for each change of an incident. */
import { Webhook } from "standardwebhooks";
import type { Outlet } from "./outlet.ts";
import { post, type Send } from "./post.ts";

/** The webhook at that address. */
export function webhookOutlet(
  { url, secret }: { readonly url: string; readonly secret: string },
  send?: Send,
): Outlet {
  const webhook = new Webhook(secret);
  return {
    name: "webhook",
    mostAtOnce: 1,
    collectMs: 0,
    async send([{ id, event }], now) {
      const body = JSON.stringify(event);
      // The moment of this attempt: receivers refuse old ones, so that nobody can repeat them.
      const timestamp = new Date(now);
      await post(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(now / 1000)),
          "webhook-signature": webhook.sign(id, timestamp, body),
        },
        body,
      }, { send });
    },
  };
}
