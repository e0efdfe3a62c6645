import { assert, assertEquals, assertRejects } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { createHash } from "node:crypto";
import { outletsOf } from "../../../../server/observer/outlets/outlets.ts";
import { OutletError } from "../../../../server/observer/outlets/outlet.ts";
import { webhookBody, webhookOutlet } from "../../../../server/observer/outlets/webhook.ts";
import { event } from "../events.ts";
import { withReceiver } from "../receiver.ts";

const SUMMARY = "Schedule 101 (Sales <b>): failing for 2 runs, since 2026-03-10 06:00 UTC";
const nextStep = "Find out why the latest run failed, and run the report again.";
const secret = `whsec_${btoa("s".repeat(32))}`;

Deno.test("outletsOf: a webhook's receiver is a hash, because its address may hold a secret", () => {
  const webhook = { url: "https://hooks.example.com/planted", secret };
  const [{ receiver }] = outletsOf({ webhook, mailTo: [] } as never);
  assertEquals(receiver, createHash("sha256").update(webhook.url).digest("hex").slice(0, 16));
});

Deno.test("webhookOutlet: a receiver of Standard Webhooks accepts what is sent", () =>
  withReceiver(() => new Response(null, { status: 204 }), async (origin, received) => {
    const outlet = webhookOutlet({ url: `${origin}/hook?team=1`, secret });
    await outlet.send([{ id: "msg_1", event: event() }], Date.now());
    const [{ path, headers, body }] = received;
    assertEquals([path, headers.get("webhook-id")], ["/hook?team=1", "msg_1"]);
    const read = new Webhook(secret).verify(body, Object.fromEntries(headers));
    const { data, ...rest } = event();
    assertEquals(read, { ...rest, data: { summary: SUMMARY, nextStep, ...data } });
  }));

Deno.test("webhookOutlet: several that are alike are one request, with the data of the others", () =>
  withReceiver(() => new Response(null, { status: 204 }), async (origin, received) => {
    const outlet = webhookOutlet({ url: `${origin}/hook`, secret });
    const other = event("incident.opened", { id: "102-failing-1" });
    const messages = [{ id: "msg_1", event: event() }, { id: "msg_2", event: other }];
    assertEquals(outlet.groupOf!(event()), outlet.groupOf!(other));
    assert(outlet.groupOf!(event()) !== outlet.groupOf!(event("incident.resolved")));
    await outlet.send(messages, Date.now());
    assertEquals(received.map(({ headers }) => headers.get("webhook-id")), ["msg_1"]);
    const read = new Webhook(secret).verify(
      received[0].body,
      Object.fromEntries(
        received[0].headers,
      ),
    );
    assertEquals(read, {
      ...event(),
      data: {
        ...{ summary: SUMMARY, nextStep, ...event().data },
        others: [{ summary: SUMMARY, nextStep, ...other.data }],
      },
    });
  }));

Deno.test("webhookBody: after quiet hours, different changes are one digest", () => {
  const messages = [event(), event("incident.resolved")]
    .map((each) => ({ id: "msg_1", event: each, isHeld: true }));
  const { type, data } = JSON.parse(JSON.stringify(webhookBody(messages)));
  assertEquals([type, data.summary], ["digest", "2 changes of incidents during quiet hours"]);
  assertEquals(data.events.map(({ type }: { type: string }) => type), [
    "incident.opened",
    "incident.resolved",
  ]);
  assertEquals(data.events[0].data.summary, SUMMARY);
});

Deno.test("webhookOutlet: a redirect is not followed", () =>
  withReceiver(
    () => new Response(null, { status: 307, headers: { location: "/elsewhere" } }),
    async (origin, received) => {
      const outlet = webhookOutlet({ url: `${origin}/hook`, secret });
      await assertRejects(
        () => outlet.send([{ id: "msg_1", event: event() }], Date.now()),
        OutletError,
        "The receiver answered with a redirect: set the address it leads to",
      );
      assertEquals(received.map(({ path }) => path), ["/hook"]);
    },
  ));
