import { assertEquals, assertMatch } from "@std/assert";
import { callRecords } from "./record_calls.ts";
import { ORIGIN, withApp, withPerson } from "../app.ts";

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
    const put = async (statuses: unknown) =>
      await callRecords(app, "putStatuses", { body: { statuses } });
    const first = (await callRecords(app, "getStatuses")).answer;
    assertMatch(first.database, /^[0-9a-f-]{32,36}$/);
    assertEquals(["success", "archived", "done"].map((word) => sourceOf(first, word)), [
      ["good", "known"],
      ["good", "setting"],
      ["bad", "setting"],
    ]);
    const { answer } = await put([{ status: "ARCHIVED", meaning: "bad" }]);
    assertEquals(sourceOf(answer, "archived"), ["bad", "person"]);
    assertEquals((await callRecords(app, "getStatuses")).answer, answer);
    assertEquals(answer.database, first.database);
    const wrong = await put([
      { status: "Timed-Over", meaning: "bad" },
      { status: "timed_over", meaning: "bad" },
      { status: "", meaning: "good" },
      { status: "odd", meaning: "great" },
    ]);
    const pointers = wrong.answer.errors.map(({ pointer }: { pointer: string }) => pointer);
    assertEquals([wrong.status, pointers], [400, ["/statuses/1", "/statuses/2", "/statuses/3"]]);
    assertEquals((await put("x")).answer.errors[0].pointer, "/statuses");
    const none = (await put([])).answer;
    assertEquals(["archived", "timed over"].map((word) => sourceOf(none, word)), [
      ["good", "setting"],
      undefined,
    ]);
  }));

Deno.test("[e2e] service: lists every status that was seen, and takes what a person says it means", () =>
  withPerson(async ({ app, get, fetch }) => {
    const run = { id: 1, startTime: "2026-01-01T06:00:00Z", status: "SUCCESS" };
    await app.services.store!.put({ runs: [{ scheduleId: 101, run: run as never }] });
    const before = await get("/service");
    assertMatch(before.text, /<code>success<\/code>.*?runs of 11 schedules/s);
    assertMatch(before.text, /<code>archived<\/code>.*?not yet.*?STATUSES: good/s);
    // Another spelling needs no meaning of its own.
    assertMatch(before.text, /<code>SUCCESS<\/code>.*?good, as success/s);
    assertEquals(before.text.includes('name="status" value="SUCCESS"'), false);
    const form = new URLSearchParams([
      ...[["status", "success"], ["meaning", "unknown"]],
      // Of what nobody chose, nothing is said.
      ...[["status", "failure"], ["meaning", ""]],
      ...[["status", " Half_Sent "], ["meaning", "bad"], ["name", "Ada"]],
    ]);
    const headers = { origin: ORIGIN };
    const post = (body: URLSearchParams) => fetch("/service", { method: "POST", headers, body });
    assertEquals((await post(form)).status, 303);
    const after = (await get("/service")).text;
    assertMatch(after, /2 statuses are unknown.*<code>half sent<\/code>.*?Ada \(not verified\)/s);
    form.set("meaning", "great");
    assertEquals((await post(form)).status, 400);
  }, { STATUSES: "archived=good" }));

Deno.test("[e2e] people: a list says what it leaves out for an unknown status", () =>
  withPerson(async ({ app, get, fetch }) => {
    assertEquals((await get("/people")).text.includes("Left out"), false);
    const said = { actor: { name: "Ada", known: "typed" }, now: Date.now() } as const;
    await app.services.records!.statuses.say({ failure: "unknown" }, said);
    assertMatch((await get("/people")).text, /Left out: 62 runs with failure, whose result/);
    const file = await fetch("/people/export?format=csv");
    await file.body?.cancel();
    assertMatch(file.headers.get("content-disposition")!, /people-incomplete/);
  }));
