/** Standard Webhooks: one signed request for each change of an incident, or for several similar ones. */
import { Webhook } from "standardwebhooks";
import type { OutletEvent } from "../event.ts";
import { nextSteps, toSummary, toTitle } from "../words.ts";
import { type Message, type Outlet, post, type Send } from "./outlet.ts";

/** The body: one event, the first of similar events with the data of the others, or a digest. */
function webhookBody(messages: readonly Message[]) {
  const events = messages.map(({ event }) => event);
  const [first, ...others] = events;
  if (events.some((event) => groupOf(event) !== groupOf(first))) {
    const data = { sentence: toTitle(messages), events: events.map(withSentence) };
    return { type: "digest", timestamp: first.timestamp, data };
  }
  const { data, ...rest } = withSentence(first);
  if (others.length === 0) return { ...rest, data };
  return { ...rest, data: { ...data, others: others.map((each) => withSentence(each).data) } };
}

function groupOf({ type, data }: OutletEvent): string {
  return `${type} ${data.incident.code}`;
}

function withSentence(event: OutletEvent) {
  const [nextStep = null] = nextSteps(event);
  return { ...event, data: { sentence: toSummary(event), nextStep, ...event.data } };
}

export function webhookOutlet(
  { url, secret, name = "webhook" }: {
    readonly url: string;
    readonly secret: string;
    readonly name?: string;
  },
  send?: Send,
): Outlet {
  const webhook = new Webhook(secret);
  return {
    name,
    groupOf,
    async send(messages, now) {
      const [{ id }] = messages;
      const body = JSON.stringify(webhookBody(messages));
      // The time of this attempt, because receivers reject old timestamps to prevent replays.
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
