/** Standard Webhooks: one signed request for each change of an incident, or for several alike. */
import { Webhook } from "standardwebhooks";
import type { OutletEvent } from "../event.ts";
import type { Outlet } from "./outlet.ts";
import { post, type Send } from "./post.ts";

/** Schedules that fail at the same time are found within this time. */
const COLLECT_MS = 2000;

/** The body of similar events: the first one, and the data of the others. */
function bodyOf([first, ...others]: readonly OutletEvent[]): OutletEvent {
  if (others.length === 0) return first;
  return { ...first, data: { ...first.data, others: others.map(({ data }) => data) } };
}

/** The webhook at a URL. */
export function webhookOutlet(
  { url, secret }: { readonly url: string; readonly secret: string },
  send?: Send,
): Outlet {
  const webhook = new Webhook(secret);
  return {
    name: "webhook",
    mostAtOnce: 100,
    collectMs: COLLECT_MS,
    groupOf: ({ type, data }) => `${type} ${data.incident.code}`,
    async send(messages, now) {
      const [{ id }] = messages;
      const body = JSON.stringify(bodyOf(messages.map(({ event }) => event)));
      // The time of this attempt: receivers reject old ones, to prevent replays.
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
