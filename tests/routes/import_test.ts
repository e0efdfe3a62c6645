import { assertEquals, assertMatch } from "@std/assert";
import { assertAnswer, withPerson } from "../app.ts";
import { callRecords } from "./record_calls.ts";

Deno.test("[e2e] POST /service/import: takes a spreadsheet, and names what does not match", () =>
  withPerson(async ({ app, get, ...person }) => {
    assertAnswer(await get("/service/import"), 200, "columns with other names");
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
    assertEquals((await store!.reportSchedules.history(9))[0].recipients?.length, 2);
    const { answer } = await callRecords(app, "listSchedules");
    type Listed = { source: string; scheduleId: number; watched: boolean };
    const facts = answer.items.map((one: Listed) => [one.source, one.scheduleId, one.watched]);
    assertEquals(facts.slice(0, 2), [["import", 9, false], ["import", 10, false]]);
    const ambiguous = await upload("scheduleId,startTime\n9,03.04.2026 05:00");
    assertMatch(ambiguous.text, /line 2: startTime 03\.04\.2026 05:00 is ambiguous/);
    const read = await upload("scheduleId,startTime\n9,03.04.2026", { dates: "day-first" });
    assertAnswer(read, 200, "1 read: 1 new");
  }));

Deno.test("[e2e] GET /filesets/:id: opens an imported file set whatever its id", () =>
  withPerson(async ({ app, get }) => {
    const ids = ["Payroll 2026", "R&D/Ärger?", "100%", "a%2Fb"];
    await app.services.store!.put({
      fileSets: ids.map((id) => ({ id, name: `Of ${ids.indexOf(id)}` })),
    });
    for (const [at, id] of ids.entries()) {
      assertAnswer(await get(`/filesets/${encodeURIComponent(id)}`), 200, `<h1>Of ${at}</h1>`);
    }
  }));
