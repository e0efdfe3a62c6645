import { assert, assertEquals, assertMatch } from "@std/assert";
import { callRecords } from "./record_calls.ts";
import { type App, HEADER, ORIGIN, sessionCookie, signIn, TOKEN, withApp } from "../app.ts";

const STATUSES = "/api/docket/v1/statuses";

async function ask(app: App, method: string, body?: unknown, headers: HeadersInit = {}) {
  const response = await app.fetch(
    new Request(ORIGIN + STATUSES, {
      method,
      headers: { [HEADER]: TOKEN, "content-type": "application/json", ...headers },
      ...body === undefined ? {} : { body: JSON.stringify(body) },
    }),
  );
  const text = await response.text();
  return { response, status: response.status, answer: text ? JSON.parse(text) : null };
}

interface Listed {
  readonly status: string;
  readonly meaning: string;
  readonly source: string;
}

const sourceOf = ({ statuses }: { readonly statuses: readonly Listed[] }, status: string) => {
  const found = statuses.find((each) => each.status === status);
  return found && [found.meaning, found.source];
};

Deno.test("[e2e] statuses: what people put wins over STATUSES, and that over known words", () =>
  withApp({ STATUSES: "archived=good,done=bad" }, async (app) => {
    const first = (await ask(app, "GET")).answer;
    assertMatch(first.database, /^[0-9a-f-]{32,36}$/);
    assertEquals(["success", "archived", "done"].map((word) => sourceOf(first, word)), [
      ["good", "known"],
      ["good", "setting"],
      ["bad", "setting"],
    ]);
    const put = { statuses: [{ status: "ARCHIVED", meaning: "bad" }] };
    const { status, answer } = await callRecords(app, "putStatuses", { body: put });
    assertEquals([status, sourceOf(answer, "archived")], [200, ["bad", "person"]]);
    assertEquals((await callRecords(app, "getStatuses")).answer, answer);
    assertEquals(answer.database, first.database);
    const none = (await ask(app, "PUT", { statuses: [] })).answer;
    assertEquals(sourceOf(none, "archived"), ["good", "setting"]);
  }));

Deno.test("[e2e] statuses: every fault of a body is named at once, and nothing is stored", () =>
  withApp({}, async (app) => {
    const statuses = [
      { status: "Timed-Over", meaning: "bad" },
      { status: "timed_over", meaning: "bad" },
      { status: "", meaning: "good" },
      { status: "odd", meaning: "great" },
    ];
    const { status, answer } = await ask(app, "PUT", { statuses });
    assertEquals(status, 400);
    const pointers = answer.errors.map(({ pointer }: { pointer: string }) => pointer);
    assertEquals(pointers, ["/statuses/1", "/statuses/2", "/statuses/3"]);
    assertEquals((await ask(app, "PUT", { statuses: "x" })).answer.errors[0].pointer, "/statuses");
    assertEquals((await ask(app, "PUT", null)).status, 400);
    assertEquals(sourceOf((await ask(app, "GET")).answer, "timed over"), undefined);
  }));

Deno.test("[e2e] service: lists every status that was seen, and takes what a person says it means", () =>
  withApp({ STATUSES: "archived=good" }, async (app) => {
    const person = await signIn(app, ORIGIN);
    const before = await person.get("/service");
    assertEquals(before.status, 200);
    assertMatch(before.text, /<code>success<\/code>.*?runs of 11 schedules/s);
    assertMatch(before.text, /<code>archived<\/code>.*?not yet.*?STATUSES: good/s);
    const form = new URLSearchParams([
      ["status", "success"],
      ["meaning", "unknown"],
      ["status", " Half_Sent "],
      ["meaning", "bad"],
      ["name", "Ada"],
    ]);
    const cookie = await sessionCookie(app, ORIGIN);
    const headers = { cookie, origin: ORIGIN };
    const post = (body: URLSearchParams) =>
      app.fetch(new Request(`${ORIGIN}/service`, { method: "POST", headers, body }));
    assertEquals((await post(form)).status, 303);
    const after = (await person.get("/service")).text;
    assertMatch(after, /1 status is.* unknown/s);
    assertMatch(after, /<code>half sent<\/code>.*?Ada \(not verified\)/s);
    form.set("name", "");
    form.set("meaning", "great");
    const refused = await post(form);
    assertEquals(refused.status, 400);
    const text = await refused.text();
    assert(text.includes("can&#39;t mean") || text.includes("can't mean"), text.slice(0, 2000));
    assert(text.includes("Enter your name"));
  }));

Deno.test("[e2e] service: another spelling of a status needs no meaning of its own", () =>
  withApp({}, async (app) => {
    const run = { id: 1, startTime: "2026-01-01T06:00:00Z", status: "SUCCESS" };
    await app.services.store!.put({ runs: [{ scheduleId: 101, run: run as never }] });
    const person = await signIn(app, ORIGIN);
    const { text } = await person.get("/service");
    assertMatch(text, /<code>SUCCESS<\/code>.*?good, as success/s);
    const shown = [...text.matchAll(/name="status" value="([^"]*)"/g)].map(([, status]) => status);
    assert(shown.includes("success") && !shown.includes("SUCCESS"), shown.join());
  }));

Deno.test("[e2e] people: a list says what it leaves out for an unknown status", () =>
  withApp({}, async (app) => {
    const person = await signIn(app, ORIGIN);
    assertEquals((await person.get("/people")).text.includes("Left out"), false);
    const said = { actor: { name: "Ada", known: "typed" }, now: Date.now() } as const;
    await app.services.records!.statuses.say({ failure: "unknown" }, said);
    assertMatch((await person.get("/people")).text, /Left out: 62 runs with failure, whose result/);
    const headers = { cookie: await sessionCookie(app, ORIGIN) };
    const file = await app.fetch(
      new Request(`${ORIGIN}/people/export?format=csv`, { headers }),
    );
    await file.body?.cancel();
    assertMatch(file.headers.get("content-disposition")!, /people-incomplete/);
  }));
