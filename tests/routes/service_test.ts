/** The page **Service**: own data, and what statuses mean. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { callRecords } from "./record_calls.ts";
import { assertAnswer, head, ORIGIN, withApp, withPerson } from "../app.ts";

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
  withApp({ STATUSES: "archived=good,done=bad", SERVICE_ZONE: "Asia/Tokyo" }, async (app) => {
    const put = async (statuses: unknown) =>
      await callRecords(app, "putStatuses", { body: { statuses } });
    const first = (await callRecords(app, "getStatuses")).answer;
    assertMatch(first.database, /^[0-9a-f-]{32,36}$/);
    assertEquals(first.serviceZone, "Asia/Tokyo");
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
  withPerson(async ({ app, get, post }) => {
    const run = { id: 1, startTime: "2026-01-01T06:00:00Z", status: "SUCCESS" };
    await app.services.store!.put({ runs: [{ scheduleId: 101, run: run as never }] });
    const before = await get("/service");
    assertMatch(before.text, /<code>success<\/code>.*?runs of 11 schedules/s);
    assertMatch(before.text, /<code>archived<\/code>.*?not yet.*?STATUSES: good/s);
    // Another spelling needs no meaning of its own.
    assertMatch(before.text, /<code>SUCCESS<\/code>.*?good, as success/s);
    assertEquals(/name="status" value="SUCCESS"|Not asked yet/.test(before.text), false);
    const form = [
      ...[["status", "success"], ["meaning", "unknown"]],
      // Of what nobody chose, nothing is said.
      ...[["status", "failure"], ["meaning", ""]],
      ...[["status", " Half_Sent "], ["meaning", "bad"], ["name", "Ada"]],
    ];
    assertAnswer(await post("/service", form), 303);
    // What people said of others stays.
    const other = { status: "failure", meaning: "bad", name: "Ada" };
    assertAnswer(await post("/service", other), 303);
    const after = (await get("/service")).text;
    assertMatch(after, /2 statuses are unknown.*<code>half sent<\/code>.*?Ada \(not verified\)/s);
    for (const wrong of [{ status: "Lost", meaning: "" }, { status: "a", meaning: "great" }]) {
      assertAnswer(await post("/service", { ...wrong, name: "Ada" }), 400);
    }
  }, { STATUSES: "archived=good" }));

Deno.test("[e2e] people: a list says what it leaves out for an unknown status", () =>
  withPerson(async ({ records, get, fetch }) => {
    assertEquals((await get("/people")).text.includes("Left out"), false);
    const said = { actor: { name: "Ada", known: "typed" }, now: Date.now() } as const;
    await records.statuses.say({ failure: "unknown" }, said);
    assertMatch((await get("/people")).text, /Left out: 62 runs with failure, whose result/);
    for (const [path, name] of [["export", "people"], ["worklist", "worklist"]]) {
      const { headers } = await head(fetch(`/people/${path}?format=csv`));
      assertMatch(headers.get("content-disposition")!, new RegExp(`${name}-incomplete`));
    }
  }));

Deno.test("[e2e] POST /service/import: takes a spreadsheet, and names what does not match", () =>
  withPerson(async ({ app, get, ...person }) => {
    const remove = "Remove the sample data first";
    const shown = ["columns with other names", "embedded service, sample data", remove];
    assertAnswer(await get("/service/import"), 200, ...shown);
    const upload = (text: string, fields?: Record<string, string>) =>
      person.upload("/service/import", text, fields);
    const file = new URL("../cases/spreadsheet.csv", import.meta.url);
    const text = await Deno.readTextFile(file);
    const { store } = app.services;
    const unmatched = await upload(text, { sample: "remove" });
    assertEquals(unmatched.status, 400);
    assertMatch(unmatched.text, /Sent at.*is not a column.*Result.*is not a column/s);
    // Nothing is lost by a file that can't be read.
    assertEquals((await store!.reportSchedules.history(101, { limit: 1 })).length, 1);
    const map = "Report ID=scheduleId,Sent at=startTime,Result=status,E-mail=emailAddress";
    const done = await upload(text, { map });
    assertAnswer(done, 200, "2 read: 2 new, 0 changed, 0 unchanged, 0 rejected");
    // Others are among them now.
    assertEquals((await get("/schedules")).text.includes("sample data"), false);
    assertEquals(done.text.includes(remove), false);
    // From a form that was opened before: what was imported since stays.
    assertAnswer(await upload(text, { map, sample: "remove" }), 400, "be removed alone any more");
    assertEquals((await store!.reportSchedules.history(9))[0].recipients?.length, 2);
    const { answer } = await callRecords(app, "listSchedules");
    type Listed = { source: string; scheduleId: number; watched: boolean };
    const facts = answer.items.map((one: Listed) => [one.source, one.scheduleId, one.watched]);
    assertEquals(facts.slice(0, 2), [["import", 9, false], ["import", 10, false]]);
    const listed = await person.upload("/schedules/file", "scheduleId\n9");
    assertMatch(listed.headers.get("set-cookie")!, /=saved-schedules;/);
    assertAnswer(await person.upload("/schedules/file", "scheduleId\nx"), 400, "1 line is wrong");
    const ambiguous = await upload("scheduleId,startTime\n9,03.04.2026 05:00");
    assertMatch(ambiguous.text, /line 2: startTime 03\.04\.2026 05:00 is ambiguous/);
    for (const count of [100, 101]) {
      const many = await upload(`scheduleId,startTime\n${"9,soon\n".repeat(count)}`);
      assertAnswer(many, 400, `${count} rejected`, "line 101:");
      assertEquals(many.text.includes("and others"), count === 101);
    }
    const read = await upload("scheduleId,startTime\n9,03.04.2026", { dates: "day-first" });
    assertAnswer(read, 200, "1 read: 1 new");
  }));

Deno.test("[e2e] GET /filesets/:id: opens an imported file set whatever its id, and leads back", () =>
  withPerson(async ({ app, get, fetch }) => {
    const ids = ["Payroll 2026", "R&D/Ärger?", "100%", "a%2Fb"];
    await app.services.store!.put({
      fileSets: ids.map((id) => ({ id, name: `Of ${ids.indexOf(id)}` })),
    });
    for (const [at, id] of ids.entries()) {
      assertAnswer(await get(`/filesets/${encodeURIComponent(id)}`), 200, `<h1>Of ${at}</h1>`);
    }
    for (const [from, search] of [[ORIGIN, "/filesets?q=x"], ["https://a.example", "/filesets"]]) {
      const referer = `${from}/filesets?q=x`;
      const page = await (await fetch("/filesets/100%25", { headers: { referer } })).text();
      assertStringIncludes(page, `<a href="${search}">File sets</a>`);
    }
  }));
