/** What receivers are sent, within what their documentation says; and what they answer. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { alertmanagerOutlet } from "../../../../server/observer/outlets/alertmanager.ts";
import { slackBody, teamsBody } from "../../../../server/observer/outlets/chat.ts";
import { type Message, OutletError, post } from "../../../../server/observer/outlets/outlet.ts";
import { createOutlets } from "../../../../server/observer/outlets/outlets.ts";
import { webhookOutlet } from "../../../../server/observer/outlets/webhook.ts";
import { event, OPENED } from "../events.ts";
import { withReceiver } from "../receiver.ts";

const NOW = Date.parse("2026-03-10T07:00:00Z");
const RESOLVED = "2026-03-10T06:30:00.000Z";
const SUMMARY = "Schedule 101 (Sales <b>): failing for 2 runs, since Tue 10 Mar 06:00 UTC";
const STEP = "Find out why the latest run failed, and run the report again.";
const PAGE = "https://docket.example.com/incidents/101-failing-1";

Deno.test("post: a status that is no success is reported, with the time to wait", async () => {
  const cases = [
    [300, "a redirect: set the address it leads to", 0],
    [399, "a redirect: set the address it leads to", 0],
    [400, "status 400", 30_000],
    [503, "status 503", 30_000],
  ] as const;
  for (const [status, what, wait] of cases) {
    const send = (_: string, { redirect }: RequestInit) => {
      assertEquals(redirect, "manual");
      return Promise.resolve(new Response("no", { status, headers: { "retry-after": "30" } }));
    };
    const error = await assertRejects(() => post(PAGE, {}, { send }), OutletError);
    assertEquals([error.message, error.retryAfterMs], [`The receiver answered with ${what}`, wait]);
  }
});

Deno.test("post: gives up who never answers, takes an endless answer, and says no address", async () => {
  const onAbort = ({ signal }: RequestInit, end: (reason: unknown) => void) =>
    signal!.addEventListener("abort", () => end(signal!.reason));
  const silent = (_: string, init: RequestInit) =>
    new Promise<Response>((_, reject) => onAbort(init, reject));
  const words = "The receiver did not answer within 0.005 s";
  const timeoutMs = 5;
  await assertRejects(() => post(PAGE, {}, { send: silent, timeoutMs }), OutletError, words);
  const endless = (_: string, init: RequestInit) => {
    const start = (body: ReadableStreamDefaultController) =>
      onAbort(init, (reason) => body.error(reason));
    return Promise.resolve(new Response(new ReadableStream({ start })));
  };
  await post(PAGE, {}, { send: endless, timeoutMs });
  const away = () => post("http://127.0.0.1:1/?key=secret", {});
  const { message, stack }: OutletError = await assertRejects(away, OutletError);
  assertEquals(message, "The receiver could not be reached: port not allowed");
  assert(!stack!.includes("secret"));
});

Deno.test("webhookOutlet: one, similar ones and a digest are one signed request each", () =>
  withReceiver(() => new Response(null, { status: 204 }), async (origin, received) => {
    const webhook = { url: `${origin}/hook?team=1`, secret: `whsec_${btoa("s".repeat(32))}` };
    const [outlet] = createOutlets({ webhook, mailTo: [] } as never);
    // A hash, because the address may hold a secret.
    const hash = createHash("sha256").update(webhook.url).digest("hex").slice(0, 16);
    assertEquals(outlet.receiver, hash);
    const other = event("incident.opened", { id: "102-failing-1" });
    const resolved = event("incident.resolved");
    const groups = [event(), other, resolved].map((each) => webhookOutlet(webhook).groupOf!(each));
    assertEquals(groups, ["incident.opened failing", groups[0], "incident.resolved failing"]);
    for (const events of [[event()], [event(), other], [event(), resolved]]) {
      const messages = events.map((event, at) => ({ id: `msg_${at}`, event, isHeld: true }));
      await outlet.send(messages, Date.now());
    }
    const [one, several, digest] = received.map(({ path, headers, body }) => {
      assertEquals([path, headers.get("webhook-id")], ["/hook?team=1", "msg_0"]);
      return new Webhook(webhook.secret).verify(body, Object.fromEntries(headers));
    });
    const { data, ...rest } = event();
    const said = { sentence: SUMMARY, nextStep: STEP };
    const opened = { ...said, ...data };
    assertEquals(one, { ...rest, data: opened });
    assertEquals(several, {
      ...rest,
      data: { ...opened, others: [{ ...said, ...other.data }] },
    });
    const sentence = "Resolved: Schedule 101 (Sales <b>): failing for 2 runs";
    assertEquals(digest, {
      ...{ type: "digest", timestamp: rest.timestamp },
      data: {
        sentence: `2 changes of incidents during quiet hours, such as ${SUMMARY}`,
        events: [
          { ...rest, data: opened },
          { ...resolved, data: { nextStep: null, sentence, ...resolved.data } },
        ],
      },
    });
  }));

Deno.test("alertmanagerOutlet: an alert is repeated while its incident is open, and ends with it", () =>
  withReceiver(() => new Response(), async (origin, received) => {
    const outlet = alertmanagerOutlet(`${origin}/`);
    const ended = event("incident.resolved", { resolved: RESOLVED });
    const passed = event("incident.passed", { code: "missed", severity: "warning" });
    await outlet.send([{ id: "msg_1", event: event() }], NOW);
    // Of several changes at once, only the last one counts.
    await outlet.send([{ id: "msg_1", event: event() }, { id: "msg_2", event: ended }], NOW);
    await outlet.send([{ id: "msg_3", event: passed }], NOW);
    assertEquals(new Set(received.map(({ path }) => path)), new Set(["/api/v2/alerts"]));
    const [[open], [closed, ...more], [gap]] = received.map(({ body }) => JSON.parse(body));
    const labels = { alertname: "DocketIncident", schedule_id: "101", code: "failing" };
    assertEquals(open, {
      labels: { ...labels, severity: "critical" },
      annotations: { summary: SUMMARY, incident: "101-failing-1", schedule: "Sales <b>" },
      startsAt: OPENED,
      endsAt: "2026-03-11T07:00:00.000Z",
      generatorURL: PAGE,
    });
    assertEquals([closed.endsAt, closed.labels, more.length], [RESOLVED, open.labels, 0]);
    // It ends the alert for what was overdue.
    assertEquals([gap.labels, gap.endsAt], [{ ...open.labels, code: "overdue" }, OPENED]);
    // Of the same labels, the last incident is repeated.
    const later = event("incident.opened", { id: "101-failing-2" });
    const backwards = { code: "overdue", resolved: "2026-03-10T05:00:00.000Z" };
    await outlet.repeat!([ended, later, event("incident.resolved", backwards)], NOW);
    const [first, second, ...others] = JSON.parse(received.at(-1)!.body);
    assertEquals([first.annotations.incident, others], ["101-failing-2", []]);
    assertEquals([second.startsAt, second.endsAt], [OPENED, OPENED]);
  }));

Deno.test("alertmanagerOutlet: the user and password of the URL are sent, and are in no error", () =>
  withReceiver(() => new Response("x", { status: 401 }), async (origin, received) => {
    for (const user of ["caf%C3%A9:s%3Acret@", "caf%C3%A9@", ""]) {
      const { send } = alertmanagerOutlet(origin.replace("//", `//${user}`));
      const sending = async () => await send([{ id: "msg_1", event: event() }], NOW);
      const error = await assertRejects(sending, OutletError);
      assertEquals(error.message, "The receiver answered with status 401");
    }
    const sent = received.map(({ headers }) => {
      const basic = headers.get("authorization")?.replace("Basic ", "");
      return basic && new TextDecoder().decode(Uint8Array.fromBase64(basic));
    });
    assertEquals(sent, ["café:s:cret", "café:", undefined]);
  }));

function message(name: string, more: Partial<Message> = {}): Message {
  const { data, ...rest } = event();
  return {
    id: "msg_1",
    event: { ...rest, data: { ...data, schedule: { id: 101, name } } },
    ...more,
  };
}

Deno.test("slackBody, teamsBody: what happened, what to do, a link, and no markup of others", () => {
  const sentence = SUMMARY.replace("Sales <b>", "[x](y)");
  const text = `${sentence}\n${STEP}\n<${PAGE}|Open the incident>`;
  assertEquals(slackBody([message("[x](y)")]), {
    text: sentence,
    blocks: [{ type: "section", text: { type: "mrkdwn", text, verbatim: true } }],
  });
  const crafted = JSON.stringify(slackBody([message("<!channel> & <https://evil.example|x>")]));
  assertEquals(crafted.match(/<[^|>]+/g), [`<${PAGE}`]);
  const selectAction = { type: "Action.OpenUrl", title: "Open the incident", url: PAGE };
  const { type, attachments: [{ contentType, content }] } = teamsBody([message("[x](y)")]);
  assertEquals([type, contentType, content.type, content.version, content.actions], [
    ...["message", "application/vnd.microsoft.card.adaptive", "AdaptiveCard", "1.4"],
    [selectAction],
  ]);
  const items = [sentence, STEP].map((text) => {
    return { type: "RichTextBlock", inlines: [{ type: "TextRun", text }] };
  });
  assertEquals(content.body, [{ type: "Container", separator: false, selectAction, items }]);
});

Deno.test("slackBody, teamsBody: the most that is sent at once, with the longest names, is accepted", () => {
  const many = Array.from({ length: 100 }, () => message("🐘<".repeat(2000), { isHeld: true }));
  const { text, blocks } = slackBody(many);
  assertMatch(text, /^100 changes of incidents during quiet hours, such as Schedule 101.*…$/);
  const all = "<https://docket.example.com/incidents|all incidents>";
  assertEquals([blocks.length, blocks.at(-1)!.text.text], [22, `and 80 more: ${all}`]);
  assert(blocks.every(({ text }) => text.text.length <= 3000));
  assertEquals(slackBody(many.slice(0, 2)).blocks.length, 3);
  // Letters of three bytes.
  const card = JSON.stringify(teamsBody(Array(100).fill(message("報".repeat(2000)))));
  assertMatch(card, /"weight":"bolder".*and 80 more.*"Open all incidents"/s);
  assert(new TextEncoder().encode(card).length < 28 * 1024);
});
