/** Incidents, deliveries and metrics: what their forms do, and what is refused. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { BY_ADA } from "../actors.ts";
import { registerOutlets } from "../../server/observer/routing.ts";
import { queueUnsent } from "../../server/observer/outbox.ts";
import { createOutlets } from "../../server/observer/outlets/outlets.ts";
import { actorText } from "../../lib/actor.ts";
import { HOUR } from "../../lib/time_units.ts";
import { storeChanges } from "../../server/store/runs/store_runs.ts";
import { textsOf } from "../components/rendered.ts";
import { assertAnswer, ORIGIN, type Person, signIn, withApp, withPerson } from "../app.ts";
import { INCIDENT_ID, INCIDENT_PATH, OPENED, plantIncident } from "../planted_incident.ts";
import { sampleReason } from "../sample_reasons.ts";

/** A person who is signed in, with an incident. */
function withIncident(
  test: (
    person: Person & {
      /** Does something with the incident, as Ada. */
      act(action: string, fields?: Record<string, string>): ReturnType<Person["post"]>;
    },
  ) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  return withPerson(async (person) => {
    await plantIncident(person.app, { name: "Sales $' </script>" });
    const act = (action: string, fields: Record<string, string> = {}) =>
      person.post(INCIDENT_PATH, { action, name: "Ada", ...fields });
    await test({ ...person, act });
  }, env);
}

Deno.test("[e2e] GET /incidents: a cause narrows what is open, and never unseen", () =>
  withIncident(async ({ get }) => {
    for (
      const [query, hasRows, ...current] of [
        ["", true, "Open"],
        ["code=overdue", true, "Open", "Overdue"],
        ["code=failing", false, "Open"],
        ["code=failing&state=all", true, "All"],
      ] as const
    ) {
      const { text } = await get(`/incidents?${query}`);
      const marked = text.matchAll(/<a href="\/incidents[^>]*aria-current[^>]*>(\w+)/g);
      const names = [...marked].map(([, name]) => name);
      assertEquals([/<article/.test(text), names], [hasRows, current], query);
    }
  }));

Deno.test("[e2e] POST /incidents/:id: says what can't be done", () =>
  withIncident(async ({ records: { incidents }, act, get, post }) => {
    assertAnswer(await act("acknowledge", { note: "I look into it" }), 303);
    assertAnswer(await get(INCIDENT_PATH), 200, "I look into it");
    const changed = "somebody else has changed the incident";
    assertAnswer(await act("acknowledge", { name: "Bob" }), 409, changed);
    const end = Date.now() + 4 * HOUR;
    await act("mute", { note: "disk is full", span: "4h" });
    assert((await incidents.get(INCIDENT_ID))!.mutedUntil! >= end);
    for (const unknown of ["delete", "constructor"]) assertAnswer(await act(unknown), 400);
    assertAnswer(await post("/incidents/none", { action: "note", name: "Ada" }), 404);
    assertAnswer(await act("note", { name: "a".repeat(101) }), 400, "The name must have at most");
  }));

Deno.test("[e2e] GET /incidents/:id: what ran and what people did, the latest first", () =>
  withPerson(async ({ app, records, get, post }) => {
    const [next, run] = await app.services.store!.reportSchedules.history(101, { limit: 2 });
    await plantIncident(app, { name: "Sales", run: run.id });
    const textOf = (time: number) => new Date(time).toISOString();
    const at = (time: number) => ({ startTime: textOf(time), endTime: textOf(time + 41_000) });
    const put = [
      { run: { ...run, ...at(OPENED), status: "failure" } },
      { run: { ...next, ...at(OPENED + HOUR) } },
    ];
    await records.commit([storeChanges(101, { put }, OPENED)]);
    const act = async (action: string, note: string) =>
      assertAnswer(await post(INCIDENT_PATH, { action, note, name: "Ada" }), 303);
    await act("acknowledge", "asking the warehouse");
    assertAnswer(await get(INCIDENT_PATH), 200, "Did not get it</h2>");
    await act("resolve", "started by hand");
    const { text } = await get(INCIDENT_PATH);
    assertMatch(text, /Recipients<\/h2>/, "who may have got it from a later run");
    const [timeline] = /aria-label="Timeline".*?<\/ol>/s.exec(text)!;
    assertEquals(textsOf(timeline, "li").map((each) => each.replace(/^.*?\d\d:\d\d /, "")), [
      "resolved by Ada (not verified): started by hand",
      "acknowledged by Ada (not verified): asking the warehouse",
      "sent to 8 people",
      "failed after 41 s, meant for 8 people",
      "found",
      "last success before, sent to 8 people",
    ]);
    const offersReopen = async () => (await get(INCIDENT_PATH)).text.includes("Reopen</button>");
    assertEquals(await offersReopen(), true);
    await plantIncident(app, { name: "Sales", opened: OPENED + HOUR });
    assertEquals(await offersReopen(), false, "while another of its subject is open");
    await post(`/incidents/101-overdue-${OPENED + HOUR}`, { action: "resolve", name: "Ada" });
    await act("reopen", "it was not that");
    assertMatch((await get(INCIDENT_PATH)).text, /Critical.*not acknowledged/);
  }));

Deno.test("[e2e] GET /incidents/:id: takes a decision about an outsider, and says who got the report", () =>
  withPerson(
    async ({ app, records, get, post }) => {
      const { incidents, recipientDecisions } = records;
      const { items: [{ id }] } = await incidents.list({ scheduleId: 112, limit: 1 });
      const person = (await records.people.find(9001))!;
      const form = { on: "112", expected: "true", name: "Ada", next: `/incidents/${id}` };
      assertEquals((await post(`/people/${person}`, form)).to, `/incidents/${id}`);
      const [decision] = await recipientDecisions.about([person], [], Date.now());
      assertEquals([decision.scheduleId, decision.expected], [112, 1]);
      assertMatch((await get(`/people/${person}`)).text, /<td[^>]*>Expected</);
      // Those of flaky runs may have got it later, by a rerun.
      const { items: [flaky] } = await incidents.list({ scheduleId: 111, limit: 1 });
      assertAnswer(await get(`/incidents/${flaky.id}`), 200, "Recipients</h2>");
      // What can't be read may have been sent.
      await plantIncident(app, { name: "", scheduleId: 112, reason: sampleReason("unreadable") });
      const unread = (await incidents.open(112)).find(({ code }) => code === "unreadable")!;
      const { text } = await get(`/incidents/${unread.id}`);
      assertMatch(text, /Recipients<.*?<li>Rowan Pike<strong[^>]*>, outside</s);
      // Of what went to nobody, those of the run before did not get it.
      const [run, before] = await app.services.store!.reportSchedules.history(112, { limit: 2 });
      const since = Date.parse(run.startTime as string);
      const put = [{ run: { ...run, recipients: [], recipientCount: 0 } }];
      await records.commit([storeChanges(112, { put }, Date.now())]);
      const reason = sampleReason("sent-to-nobody", { since, runs: [run.id] });
      await plantIncident(app, { name: "", scheduleId: 112, reason });
      const nobody = (await incidents.open(112)).find(({ code }) => code === "sent-to-nobody")!;
      const whom = [`${before.recipients!.length} people did not get it.`, "Did not get it</h2>"];
      assertAnswer(await get(`/incidents/${nobody.id}`), 200, ...whom, "</a></b> sent to nobody<");
      // A new level may be expected.
      await plantIncident(app, { name: "", scheduleId: 112, reason: sampleReason("slower") });
      const slower = (await incidents.open(112)).find(({ code }) => code === "slower")!;
      assertAnswer(await get(`/incidents/${slower.id}`), 200, 'value="expect"');
    },
    {},
    { isWatched: true },
  ));

Deno.test("[e2e] POST /incidents/:id: mutes and pauses a watched schedule, and undoes both", () =>
  withIncident(async ({ records: { watches, events }, get, act }) => {
    const watch = async () => (await watches.get(101))!;
    await act("mute-schedule", { span: "1h" });
    assert((await watch()).mutedUntil! > Date.now());
    await act("unmute-schedule", { name: "" });
    assertEquals((await watch()).mutedUntil, null);
    // From the first missed run of an open incident, in place of a later pause.
    await watches.change(101, { pauses: [{ from: 4e12, to: null }] }, 1);
    await act("pause-plan");
    assertEquals((await watch()).pauses, [{ from: OPENED, to: null }]);
    assertAnswer(await get(INCIDENT_PATH), 200, "paused until further notice");
    await act("resume-plan", { name: "" });
    const done = (await events.latest(101, 9)).toReversed();
    assertEquals(done.map(({ kind, actor }) => `${kind} ${actor && actorText(actor)}`), [
      "schedule muted Ada (not verified)",
      "schedule unmuted somebody (not verified)",
      "no runs expected Ada (not verified)",
      "runs expected again somebody (not verified)",
    ]);
    for (const { incidentId } of done) assertEquals(incidentId, INCIDENT_ID);
    await watches.change(101, { pauses: [{ from: 4e12, to: null }] }, Date.now());
    await act("resume-plan");
    assertEquals((await watch()).pauses, [], "nor later");
    await act("resolve");
    const before = Date.now();
    await act("pause-plan");
    // What was missed before stays missed.
    assert((await watch()).pauses[0].from >= before);
    await watches.remove([101], BY_ADA);
    assertEquals((await get(INCIDENT_PATH)).text.includes("Reopen</button>"), false);
    for (const action of ["reopen", "mute-schedule", "pause-plan"]) {
      assertAnswer(await act(action, { span: "1h" }), 409);
    }
  }));

Deno.test("[e2e] names: the browser remembers one, or signing in does, and no page asks again", () =>
  withIncident(async ({ app, records, act, get, post }) => {
    const known = await act("acknowledge", { name: "Ada Lovelace, née Byron" });
    assertMatch(known.headers.getSetCookie().join(), /docket_name=[^,]*; HttpOnly/);
    await act("unacknowledge");
    for (const path of [INCIDENT_PATH, "/schedules/101/plan?name=Bob"]) {
      const { text } = await get(path, known.cookies);
      const fields = text.match(/<input name="name"[^>]*value="Ada Lovelace, née Byron"/g);
      assertEquals(fields?.length, 1, path);
    }
    const entered = { token: app.services.embeddedToken!, name: "Ada" };
    const other = await signIn(app);
    const refused = await other.post("/sign-in", { token: "wrong" });
    assertAnswer(refused, 401, "This token is not accepted.");
    const { cookies } = await other.post("/sign-in", entered);
    const { text } = await get("/", cookies);
    assertMatch(text, /Acting as (<!-- -->)?Ada/);
    // A row of a list has no field for it.
    assertAnswer(await post(INCIDENT_PATH, { action: "acknowledge" }, cookies), 303);
    const { items: [incident] } = await records.incidents.list({ limit: 1 });
    assertEquals(incident.acknowledgedBy?.name, "Ada");
    // What takes one click has that name, too, unless it is no name.
    for (const cookies of [known.cookies, "docket_name=name=%00"]) {
      const form = { action: "unwatch", id: "101" };
      assertAnswer(await post("/schedules/watch", form, cookies), 303);
      await records.watches.add([101], Date.now());
    }
    const done = await records.events.latest(101, 9);
    const ended = done.filter(({ kind }) => kind === "no longer watched");
    assertEquals(ended.map(({ actor }) => actor?.name), ["somebody", "Ada Lovelace, née Byron"]);
  }));

Deno.test("[e2e] POST /incidents/deliveries: queues a test and a replay", () => {
  const secret = `whsec_${btoa("s".repeat(32))}`;
  const env = { WEBHOOK_URL: "http://127.0.0.1:9/hook", WEBHOOK_SECRET: secret };
  return withIncident(async ({ app, get, read, post, act }) => {
    const { records, settings } = app.services;
    const outlets = createOutlets(settings.observer);
    const services = { records: records!, outlets, origin: ORIGIN };
    await registerOutlets(services, Date.now());
    const path = "/incidents/deliveries";
    assertMatch(await read(path), /Nothing has been sent yet\..* Send a test by webhook/);
    assertAnswer(await get(INCIDENT_PATH), 200, "Nothing sent of this<");
    await queueUnsent(services, Date.now());
    assertAnswer(await post(path, { test: "mail" }), 400);
    assertEquals((await post(path, { test: "webhook" })).to, path);
    await act("acknowledge", { name: "a@example.com" });
    const { items } = await records!.messages.list({ limit: 5 });
    const types = items.map(({ event }) => JSON.parse(event).type).sort();
    assertEquals(types, ["incident.acknowledged", "incident.opened", "test"]);
    assertMatch((await get(INCIDENT_PATH)).text, /webhook, 3 waiting<.*waiting since/s);
    // Whoever signs with an address: it does not leave Docket.
    assert(!JSON.stringify(items).includes("a@example.com"));
    const acknowledged = "Acknowledged by a…@example.com (not verified): 2 runs due since";
    assertAnswer(await get(path), 200, "This is a test of Docket");
    assertEquals((await get(`${path}?offset=50`)).text.includes(acknowledged), false);
    // The schedule, and below it what the message says of it.
    const link = `<a href="${INCIDENT_PATH}">Sales $' &lt;/script></a> <small>${acknowledged}`;
    assertAnswer(await get(path), 200, link);
    assertAnswer(await post(path, { replay: "none" }), 404);
    assertAnswer(await post(path, { replay: items[0].id }), 303);
  }, env);
});

Deno.test("[e2e] GET /metrics: needs the token, and is a 404 without the setting", async () => {
  const ask = async ({ fetch }: Person["app"], authorization?: string) => {
    const headers: HeadersInit = authorization ? { authorization } : {};
    const response = await fetch(new Request(`${ORIGIN}/metrics`, { headers }));
    return { response, text: await response.text() };
  };
  await withIncident(async ({ app }) => {
    for (const wrong of [undefined, "Bearer wrong-token-12345"]) {
      const { status, headers } = (await ask(app, wrong)).response;
      assertEquals([status, headers.get("www-authenticate")], [401, "Bearer"]);
    }
    const { response, text } = await ask(app, "Bearer metrics-token-123");
    assert(response.headers.get("content-type")?.startsWith("application/openmetrics-text"));
    assertStringIncludes(text, 'docket_incidents_open{severity="critical"} 1');
    assert(!text.includes("Sales"));
  }, { METRICS_TOKEN: "metrics-token-123" });
  await withApp({}, async (app) => assertEquals((await ask(app)).response.status, 404));
});
