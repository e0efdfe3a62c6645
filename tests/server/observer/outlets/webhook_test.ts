import { assertEquals } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { createHash } from "node:crypto";
import { createOutlets } from "../../../../server/observer/outlets/outlets.ts";
import { webhookOutlet } from "../../../../server/observer/outlets/webhook.ts";
import { event } from "../events.ts";
import { withReceiver } from "../receiver.ts";

const secret = `whsec_${btoa("s".repeat(32))}`;
const SAID = {
  sentence: "Schedule 101 (Sales <b>): failing for 2 runs, since Tue 10 Mar 06:00 UTC",
  nextStep: "Find out why the latest run failed, and run the report again.",
};

Deno.test("createOutlets: a webhook's receiver is a hash, because its address may hold a secret", () => {
  const webhook = { url: "https://hooks.example.com/planted", secret };
  const [{ receiver }] = createOutlets({ webhook, mailTo: [] } as never);
  assertEquals(receiver, createHash("sha256").update(webhook.url).digest("hex").slice(0, 16));
});

Deno.test("webhookOutlet: one, similar ones and a digest are one signed request each", () =>
  withReceiver(() => new Response(null, { status: 204 }), async (origin, received) => {
    const outlet = webhookOutlet({ url: `${origin}/hook?team=1`, secret });
    const other = event("incident.opened", { id: "102-failing-1" });
    const resolved = event("incident.resolved");
    const groups = [event(), other, resolved].map((each) => outlet.groupOf!(each));
    assertEquals(groups, ["incident.opened failing", groups[0], "incident.resolved failing"]);
    for (const events of [[event()], [event(), other], [event(), resolved]]) {
      const messages = events.map((event, at) => ({ id: `msg_${at}`, event, isHeld: true }));
      await outlet.send(messages, Date.now());
    }
    const [one, several, digest] = received.map(({ path, headers, body }) => {
      assertEquals([path, headers.get("webhook-id")], ["/hook?team=1", "msg_0"]);
      return new Webhook(secret).verify(body, Object.fromEntries(headers));
    });
    const { data, ...rest } = event();
    const opened = { ...SAID, ...data };
    assertEquals(one, { ...rest, data: opened });
    const others = [{ ...SAID, ...other.data }];
    assertEquals(several, { ...rest, data: { ...opened, others } });
    const ended = { sentence: "Resolved: Schedule 101 (Sales <b>): failing for 2 runs" };
    assertEquals(digest, {
      type: "digest",
      timestamp: rest.timestamp,
      data: {
        sentence: `2 changes of incidents during quiet hours, such as ${SAID.sentence}`,
        events: [
          { ...rest, data: opened },
          { ...resolved, data: { nextStep: null, ...ended, ...resolved.data } },
        ],
      },
    });
  }));
