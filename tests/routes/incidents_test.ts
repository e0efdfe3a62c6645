/** Incidents, deliveries and metrics: the pages, and what their forms do. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { write } from "../../server/store/records/transaction_step.ts";
import { sql } from "../../server/store/database/sql.ts";
import { createOutletRegistry } from "../../server/observer/queue_unsent.ts";
import { outletsOf } from "../../server/observer/outlets/outlets.ts";
import { STORIES } from "../../server/store/sample/stories.ts";
import { type App, ORIGIN, type Person, sessionCookie, signIn, withApp } from "../app.ts";
import { OPENED, plantIncident } from "../planted_incident.ts";
import { watchSample } from "../browser/sample_watches.ts";
import { withReceiver } from "../server/observer/receiver.ts";
import { ADA } from "../actors.ts";
import { actorText } from "../../lib/judgement/actor.ts";

const SECRET = `whsec_${btoa("s".repeat(32))}`;
const ID = `101-overdue-${OPENED}`;

/** A person who is signed in, with an incident. */
async function withIncident(
  env: Record<string, string>,
  test: (person: Person & { app: App }) => Promise<void>,
): Promise<void> {
  await withApp(env, async (app) => {
    const { records, settings } = app.services;
    const outlets = outletsOf(settings.observer);
    await createOutletRegistry({ records: records!, outlets, origin: ORIGIN, now: Date.now })
      .refresh();
    await plantIncident(app, { name: "Sales $' </script>" });
    await test({ app, ...await signIn(app, ORIGIN) });
  });
}

Deno.test("[e2e] GET /incidents: reports an invalid filter, and keeps what was typed", () =>
  withIncident({}, async ({ get }) => {
    for (const path of ["/incidents", "/incidents/deliveries"]) {
      const { status, text } = await get(`${path}?state=shut&schedule=abc&offset=-1`);
      assertEquals(status, 400);
      const said = ["state must be one of ", "A schedule id is a whole number", "offset"];
      for (const shown of [...said, 'value="abc"']) {
        assertStringIncludes(text, shown);
      }
      assertEquals(/<tbody|<article/.test(text), false);
    }
    const none = (await get("/incidents?state=resolved")).text;
    assertStringIncludes(none, "No incident was resolved yet.");
  }));

Deno.test("[e2e] POST /schedules/:id/check-now: makes it due, and an unwatched one has no button", () =>
  withIncident({}, async ({ app, get, post }) => {
    const { watches } = app.services.records!;
    const { text } = await get("/schedules/101");
    // The page is the schedule's, so the incident does not name it again.
    assertMatch(text, new RegExp(`href="/incidents/${ID}"[^>]*>\\d+ runs? `));
    const before = Date.now();
    const answer = await post("/schedules/101/check-now", {});
    assertEquals([answer.status, answer.headers.get("location")], [303, "/schedules/101"]);
    assert((await watches.get(101))!.due >= before);
    assertEquals((await get("/schedules/102")).text.includes("Check now"), false);
  }));

Deno.test("[e2e] GET /schedules/:id: says what the overview says, in any zone", () =>
  withApp({}, async (app) => {
    await watchSample(app.services);
    const session = await sessionCookie(app, ORIGIN);
    const ask = async (path: string, zone: string) => {
      const cookie = `${session}; docket_preferences=zone=${zone}`;
      return await (await app.fetch(new Request(ORIGIN + path, { headers: { cookie } }))).text();
    };
    for (const zone of ["UTC", "America/New_York"]) {
      const overview = await ask("/", zone);
      const rows = overview.slice(overview.indexOf("<table")).split('<th scope="row">').slice(1);
      for (const { scheduleId } of STORIES.filter((_, at) => zone === "UTC" || at % 4 === 0)) {
        const page = await ask(`/schedules/${scheduleId}`, zone);
        assertStringIncludes(page, "Checked");
        assertEquals(page.includes("The verdict was made now"), false, `${scheduleId} in ${zone}`);
        const [, badge] = /<strong class="badge[^>]*>(.*?)<\/strong>/.exec(page)!;
        const [row] = rows.filter((row) => row.includes(`href="/schedules/${scheduleId}"`));
        const [, mark] = /<strong class="badge[^>]*>(.*?)<\/strong>/.exec(row)!;
        assertEquals(mark, badge, `${scheduleId} in ${zone}`);
      }
    }
  }));

Deno.test("[e2e] POST /incidents/:id: says what can't be done, and keeps what was typed", () =>
  withIncident({}, async ({ app, get, post }) => {
    const path = `/incidents/${ID}`;
    const { incidents } = app.services.records!;
    const typed = { note: "disk is full", span: "4h", until: "2100-01-31T06:00" };
    const nameless = await post(path, { action: "mute", name: " ", ...typed });
    assertEquals(nameless.status, 400);
    const answer = await nameless.text();
    const kept = ['value="disk is full"', 'value="4h" selected', 'value="2100-01-31T06:00"'];
    for (const shown of ["Enter your name", ...kept]) assertStringIncludes(answer, shown);
    assertEquals((await post(path, { action: "acknowledge", name: "Ada" })).status, 303);
    const again = await post(path, { action: "acknowledge", name: "Bob" });
    assertEquals(again.status, 409);
    assertStringIncludes(await again.text(), "somebody else has changed the incident");
    assertEquals((await get("/nowhere")).text.includes("Sample data in memory"), false);
    const { text } = await get(path);
    assertStringIncludes(text, "acknowledged by Ada");
    assertEquals(text.includes("Last planned runs"), false);
    await post(path, { action: "mute", name: "Ada", ...typed });
    assertEquals((await incidents.get(ID))!.mutedUntil, Date.UTC(2100, 0, 31, 6));
    for (const until of ["2001-01-31T06:00", "tomorrow"]) {
      const past = await post(path, { action: "mute", name: "Ada", until });
      assertEquals(past.status, 400);
      assertStringIncludes(await past.text(), "Enter a future time");
    }
    assertEquals((await post(path, { action: "note", name: "Ada", note: " " })).status, 400);
    assertEquals((await post(path, { action: "delete", name: "Ada" })).status, 400);
    await post(path, { action: "resolve", name: "Ada" });
    assertEquals((await incidents.get(ID))?.resolvedBy, ADA);
  }));

Deno.test("[e2e] GET /incidents/:id: one about an outsider names them, with the decision beside them", () =>
  withApp({}, async (app) => {
    await watchSample(app.services);
    const { incidents, recipientDecisions } = app.services.records!;
    const { items: [{ id }] } = await incidents.list({ scheduleId: 112, limit: 1 });
    const { get, post } = await signIn(app, ORIGIN);
    const { text } = await get(`/incidents/${id}`);
    const [, person] = /href="\/people\/(\d+)">Rowan Pike</.exec(text)!;
    assertStringIncludes(text, "Not expected<");
    const form = { on: "112", expected: "true", name: "Ada", next: `/incidents/${id}` };
    const { headers } = await post(`/people/${person}`, form);
    assertEquals(headers.get("location"), `/incidents/${id}`);
    const [decision] = await recipientDecisions.of([Number(person)], [], Date.now());
    assertEquals([decision.scheduleId, decision.expected], [112, 1]);
  }));

Deno.test("[e2e] POST /incidents/:id: reopens what was resolved by hand, sent once", () =>
  withReceiver(() => new Response(), async (origin) => {
    const env = { WEBHOOK_URL: `${origin}/hook`, WEBHOOK_SECRET: SECRET };
    await withIncident(env, async ({ app, get, post }) => {
      const path = `/incidents/${ID}`;
      const records = app.services.records!;
      const act = async (action: string) =>
        (await post(path, { action, name: "Ada", note: "too early", span: "1h" })).status;
      const sent = async () => {
        const { items } = await records.messages.list({ limit: 9 });
        return items.map(({ event }) => JSON.parse(event).type).reverse();
      };
      assertEquals(await act("reopen"), 409);
      assertEquals(await act("resolve"), 303);
      assertStringIncludes((await get(path)).text, "Reopen</button>");
      assertEquals([await act("reopen"), await act("reopen")], [303, 409]);
      assertEquals(await sent(), ["incident.resolved", "incident.opened"]);
      const { resolved, resolvedBy } = (await records.incidents.get(ID))!;
      assertEquals([resolved, resolvedBy], [null, null]);
      const timeline = await records.events.timeline(ID);
      assertEquals(timeline.at(-1)?.kind, "reopened");
      await records.commit([write(sql`UPDATE messages SET sent = created, due = NULL`)]);
      assertMatch((await get("/")).text, /Notified: <span[^>]*>webhook /);
      // Muted, it is resolved and opened again in silence: nobody has to know.
      for (const action of ["mute", "resolve", "reopen"]) assertEquals(await act(action), 303);
      const { said, notifyAt } = (await records.incidents.get(ID))!;
      assertEquals([said, notifyAt, (await sent()).slice(2)], ["open", null, []]);
      // Another one of its code is open: both can't be.
      await act("resolve");
      await plantIncident(app, { name: "Sales", opened: OPENED + 60_000 });
      assertEquals((await get(path)).text.includes("Reopen</button>"), false);
      assertEquals(await act("reopen"), 409);
    });
  }));

Deno.test("[e2e] POST /incidents/:id: can't reopen, mute or pause what is no longer watched", () =>
  withIncident({}, async ({ app, get, post }) => {
    const path = `/incidents/${ID}`;
    await post(path, { action: "resolve", name: "Ada" });
    await app.services.records!.watches.remove(101);
    assertEquals((await get(path)).text.includes("Reopen</button>"), false);
    const refused = await post(path, { action: "reopen", name: "Ada" });
    assertEquals(refused.status, 409);
    assertStringIncludes(await refused.text(), "Docket no longer watches this");
    for (const action of ["mute-schedule", "pause-plan", "planned-gap"]) {
      assertEquals((await post(path, { action, span: "1h", name: "Ada" })).status, 409);
    }
  }));

Deno.test("[e2e] POST /incidents/:id: mutes, pauses, plans a gap, and undoes all", () =>
  withIncident({}, async ({ app, get, post }) => {
    const path = `/incidents/${ID}`;
    const watch = async () => (await app.services.records!.watches.get(101))!;
    const act = (action: string, more = {}) => post(path, { action, name: "Ada", ...more });
    assertEquals((await act("mute-schedule", { span: "1h", name: " " })).status, 400);
    assertEquals((await watch()).mutedUntil, null);
    await act("mute-schedule", { span: "1h" });
    assert((await watch()).mutedUntil! > Date.now());
    await act("unmute-schedule", { name: "" });
    assertEquals((await watch()).mutedUntil, null);
    await act("pause-plan");
    assertEquals((await watch()).pauses.map(({ to }) => to), [null]);
    await act("resume-plan", { name: "" });
    await act("planned-gap");
    await act("planned-gap", { name: "Bob" });
    const { pauses } = await watch();
    assertEquals(pauses.map(({ from }) => from), [OPENED]);
    assertStringIncludes((await get(path)).text, "Undo: this gap was not planned");
    for (const from of ["", "soon", String(OPENED + 1)]) {
      assertEquals((await post(path, { from, name: "Bob" })).status, 409);
    }
    await post(path, { from: String(OPENED), name: "Bob" });
    assertEquals((await watch()).pauses, []);
    assertEquals((await act("constructor")).status, 400);
    const done = await app.services.records!.events.latest(101, 9);
    assertEquals(
      done.toReversed().map(({ kind, actor }) => `${kind} ${actor && actorText(actor)}`),
      [
        "schedule muted Ada (not verified)",
        "schedule unmuted somebody (not verified)",
        "no runs expected Ada (not verified)",
        "runs expected again somebody (not verified)",
        "gap planned Ada (not verified)",
        "gap planned Bob (not verified)",
        "gap not planned Bob (not verified)",
      ],
    );
    for (const { incidentId } of done) assertEquals(incidentId, ID);
    const { text } = await get(path);
    for (const shown of ["runs expected again", "gap not planned", "Bob"]) {
      assertStringIncludes(text, shown);
    }
  }));

Deno.test("[e2e] POST /incidents/:id: no runs are expected from a gap on, or else from now on", () =>
  withIncident({}, async ({ app, get, post }) => {
    const { watches, incidents } = app.services.records!;
    const path = `/incidents/${ID}`;
    const begins = async () => (await watches.get(101))!.pauses.map(({ from }) => from);
    const future = { from: Date.now() + 86_400_000, to: null };
    await watches.change(101, { pauses: [future] }, OPENED);
    assertStringIncludes((await get(path)).text, "paused from");
    await post(path, { action: "resume-plan", name: "Ada" });
    assertEquals(await begins(), []);

    assertStringIncludes((await get(path)).text, "Pause from the first missed run");
    await post(path, { action: "pause-plan", name: "Ada" });
    assertEquals(await begins(), [OPENED]);
    assertStringIncludes((await get(path)).text, "paused until further notice");
    await watches.change(101, { pauses: [] }, OPENED);

    await post(path, { action: "resolve", name: "Ada" });
    assert((await incidents.get(ID))!.resolved);
    assertStringIncludes((await get(path)).text, "Pause from now on");
    const before = Date.now();
    await post(path, { action: "pause-plan", name: "Ada" });
    // What was missed before stays missed.
    assert((await begins())[0] >= before);
  }));

Deno.test("[e2e] POST /incidents/:id: the browser remembers the name, and a page asks for it once", () =>
  withIncident({}, async ({ app, post }) => {
    const { headers } = await post(`/incidents/${ID}`, {
      action: "acknowledge",
      name: "Ada Lovelace, née Byron",
    });
    const [kept] = headers.getSetCookie().filter((text) => text.startsWith("docket_name="));
    assertStringIncludes(kept, "HttpOnly");
    const cookie = `${await sessionCookie(app, ORIGIN)}; ${kept.split(";")[0]}`;
    await post(`/incidents/${ID}`, { action: "unacknowledge", name: "Ada" });
    for (const path of [`/incidents/${ID}`]) {
      const response = await app.fetch(new Request(ORIGIN + path, { headers: { cookie } }));
      const fields = (await response.text()).match(
        /<input name="name"[^>]*value="Ada Lovelace, née Byron"/g,
      );
      assertEquals(fields?.length, 1, path);
    }
  }));

Deno.test("[e2e] POST /sign-in: a name typed there is that of later actions", () =>
  withIncident({}, async ({ app }) => {
    const body = new URLSearchParams({ token: app.services.embeddedToken!, name: "Ada" });
    const request = new Request(`${ORIGIN}/sign-in`, { method: "POST", body });
    const cookies = (await app.fetch(request)).headers.getSetCookie();
    const cookie = cookies.map((text) => text.split(";")[0]).join("; ");
    const page = await app.fetch(new Request(`${ORIGIN}/`, { headers: { cookie } }));
    const text = await page.text();
    assertMatch(text, /<input type="hidden" name="name" value="Ada"/);
    assertMatch(text, /Acting as (<!-- -->)?Ada/);
  }));

Deno.test("[e2e] POST /incidents/:id: records the name of the token, whatever is typed", () =>
  withIncident({}, async ({ app }) => {
    const { store, records } = app.services;
    const { get, post } = await signIn(
      app,
      ORIGIN,
      await store!.tokens.add("Cem", "operator", new Date()),
    );
    for (const path of [`/incidents/${ID}`, "/", "/schedules/101/plan"]) {
      const { text } = await get(path);
      assertMatch(text, /Acting as Cem/, path);
      assertEquals(text.includes('name="name"'), false, path);
    }
    assertEquals((await post(`/incidents/${ID}`, { action: "resolve", name: "Ada" })).status, 303);
    assertEquals((await records!.events.timeline(ID)).at(-1)!.actor, {
      name: "Cem",
      known: "token",
    });
    assertEquals((await get(`/incidents/${ID}`)).text.includes("not verified"), false);
  }));

Deno.test("[e2e] POST /incidents/deliveries: queues a test and a replay", () =>
  withReceiver(() => new Response(), async (origin) => {
    const env = { WEBHOOK_URL: `${origin}/hook`, WEBHOOK_SECRET: SECRET };
    await withIncident(env, async ({ app, get, post }) => {
      const { messages } = app.services.records!;
      assertEquals((await post("/incidents/deliveries", { test: "mail" })).status, 400);
      const tested = await post("/incidents/deliveries", { test: "webhook" });
      assertEquals(tested.headers.get("location"), "/incidents/deliveries");
      await post(`/incidents/${ID}`, { action: "acknowledge", name: "a@example.com" });
      const { items } = await messages.list({ limit: 5 });
      assertEquals(items.map(({ event }) => JSON.parse(event).type).sort(), [
        "incident.acknowledged",
        "test",
      ]);
      // Whoever signs with an address: it does not leave Docket.
      assert(!JSON.stringify(items).includes("a@example.com"));
      const { text } = await get("/incidents/deliveries");
      assertStringIncludes(text, "This is a test of Docket");
      assertStringIncludes(text, "Acknowledged by a…@example.com (not verified): Schedule 101");
      const ofOne = (await get("/incidents/deliveries?schedule=101")).text;
      assertStringIncludes(ofOne, "Acknowledged by a…@example.com (not verified): Schedule 101");
      assertEquals(ofOne.includes("This is a test of Docket"), false);
      assertEquals((await post("/incidents/deliveries", { replay: "none" })).status, 404);
      const replayed = await post("/incidents/deliveries", { replay: items[0].id });
      assertEquals(replayed.status, 303);
    });
  }));

Deno.test("[e2e] GET /metrics: needs the token, and is a 404 without the setting", async () => {
  await withIncident({ METRICS_TOKEN: "metrics-token-123" }, async ({ app }) => {
    const ask = (headers: Record<string, string>) =>
      app.fetch(new Request(`${ORIGIN}/metrics`, { headers }));
    assertEquals((await ask({})).status, 401);
    assertEquals((await ask({ authorization: "Bearer wrong-token-12345" })).status, 401);
    const response = await ask({ authorization: "Bearer metrics-token-123" });
    assertEquals(response.status, 200);
    assert(response.headers.get("content-type")?.startsWith("application/openmetrics-text"));
    const text = await response.text();
    assertStringIncludes(text, 'docket_incidents_open{severity="critical"} 1');
    assert(!text.includes("Sales"));
  });
  await withApp({}, async (app) => {
    assertEquals((await app.fetch(new Request(`${ORIGIN}/metrics`))).status, 404);
  });
});
