/** The pages of people: who is listed, what is said of them, and what their forms do. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY } from "../../lib/time_units.ts";
import { pollAll } from "../browser/sample_watches.ts";
import { assertAnswer, ORIGIN, type Person, withPerson } from "../app.ts";
import { ADA } from "../actors.ts";

const ROWAN = "Rowan.Pike@partner.example.net";

/** The path of the person whom a typed text finds. */
async function pathOf({ post }: Person, typed: string): Promise<string> {
  return new URL((await post("/people", { q: typed })).to!, ORIGIN).pathname;
}

Deno.test("[e2e] GET /people: says which domain looks like one inside, and gives files of groups", () =>
  withPerson(async ({ get }) => {
    assertMatch((await get("/people?group=stopped")).text, /Noor Haddad.*looks like example.com/s);
    const csv = (await get("/people/export?format=csv&group=new")).text;
    const [head, row] = csv.trim().split("\r\n");
    assertEquals(head, "scheduleId,userId,displayName,emailAddress,first,last,runs,receiving");
    assertMatch(row, /^112,9001,Rowan Pike,r…@partner\.example\.net,.*,5,true$/);
  }));

Deno.test("[e2e] POST /people: an address leads to the person, and is in no link", () =>
  withPerson(async (person) => {
    const path = await pathOf(person, ROWAN.toUpperCase());
    assertMatch(path, /^\/people\/\d+$/);
    assertEquals(await pathOf(person, "9001"), path);
    assertEquals((await person.post("/people", { q: "" })).to, "/people");
    const nobody = await person.post("/people", { q: "eve@example.com" });
    assertEquals(nobody.to, "/people?nobody=");
  }));

Deno.test("[e2e] GET /schedules/:id/recipients: takes old links and filters, and gives a file", () =>
  withPerson(async ({ app, records, get, post }) => {
    const old = await get("/people?schedule=112&group=outside&addresses=shown");
    assertEquals(old.to, "/schedules/112/recipients?group=outside&addresses=shown");
    const found = await post("/schedules/112/recipients", { q: "pike" });
    assertEquals(found.to, "/schedules/112/recipients?q=pike");
    const file = (await get("/people/export?format=csv&schedule=112")).text.trim().split("\r\n");
    assertEquals(file.length, 8);
    assert(file.slice(1).every((row) => row.startsWith("112,")));
    await records.watches.add([112], Date.now(), { name: "Sales" });
    await pollAll(app.services);
    const named = /Margin by customer.*name="schedule"[^>]*value="Sales"/s;
    assertMatch((await get("/schedules/112/recipients")).text, named);
  }));

Deno.test("[e2e] POST /people/:id: says what is wrong, and keeps what was typed", () =>
  withPerson(async (person) => {
    const path = await pathOf(person, ROWAN);
    const typed = { name: "Ada", note: "Audits us", expected: "true", on: "112" };
    const late = "Until (optional) must be today or later";
    const kept = ['value="112" selected', 'value="Audits us"', 'value="Ada"'];
    const wrong: [typed: Record<string, string>, ...words: string[]][] = [
      [{ until: "soon" }, late],
      [{ until: "2020-01-01" }, late, ...kept],
      [{ expected: "" }],
      [{ on: "everywhere" }],
      [{ on: "101" }, "Schedules must be a schedule that this person received"],
    ];
    for (const [odd, ...words] of wrong) {
      assertAnswer(await person.post(path, { ...typed, ...odd }), 400, ...words);
    }
  }));

Deno.test("[e2e] POST /people/:id: Expected resolves, Not expected ends by a run", () =>
  withPerson(async (person) => {
    const { app: { services: { store } }, records } = person;
    const path = await pathOf(person, ROWAN);
    const said = { name: "Ada", note: "Audits us" };
    const on112 = { ...said, expected: "true", on: "112", until: "2099-01-01" };
    const expectedOn = async (id: number) =>
      (await records.recipientDecisions.expectedOn(id, Date.now())).filter((one) =>
        one.kind === "recipient" && one.recipient.userId === 9001
      );
    // Each page of the schedule takes it from the same verdict.
    const isOutside = async (page: string) =>
      /class="badge [^>]*>.{1,40} Outside</.test((await person.get(page)).text);
    const pages = ["/schedules/112", "/schedules/112/plan"];
    assertEquals(await Promise.all(pages.map(isOutside)), [true, true]);
    await person.post(path, on112);
    assertEquals(await Promise.all(pages.map(isOutside)), [false, false]);
    assertEquals([(await expectedOn(112)).length, (await expectedOn(101)).length], [1, 0]);
    const decided =
      /<h2>Decisions<.*Decided by Ada \(not verified\).*name="withdraw" value="(\d+)"/s;
    const [, id] = decided.exec((await person.get(path)).text)!;
    const { headers } = await person.post(path, { name: "Bea", "withdraw": id, until: "soon" });
    assertMatch(headers.get("set-cookie")!, /=withdrawn;/);
    const { text: withdrawn } = await person.get(path);
    assertEquals(withdrawn.includes("Decided by Ada"), false);
    assertMatch(withdrawn, /decided by Ada \(not verified\): withdrawn by Bea \(not verified\)/);
    await person.post(path, on112);
    await person.post(path, { ...said, expected: "false" });
    assertEquals(await expectedOn(112), []);
    const worklist = async () => (await person.get("/people/worklist")).text;
    assertMatch(
      await worklist(),
      /Rowan Pike.*Margin by customer.*: Audits us.*open.*masked addresses/s,
    );
    const [newest] = await store!.reportSchedules.history(112, { limit: 1 });
    const recipients = newest.recipients!.filter(({ userId }) => userId !== 9001);
    const startTime = new Date(Date.now() + DAY).toISOString();
    const run = { ...newest, id: newest.id + 1, startTime, endTime: startTime, recipients };
    await store!.put({ runs: [{ scheduleId: 112, run: run as never }] });
    const shownBy = /Rowan Pike.*done.*shown by the run of <a href="\/schedules\/112\/runs\/\d+"/s;
    assertMatch(await worklist(), shownBy);
    const csv = (await person.get("/people/worklist?format=csv")).text;
    assertStringIncludes(csv, "Rowan Pike,r…@partner.example.net");
    await person.post(path, { ...said, expected: "true", on: "domain" });
    // Noor Haddad is at another domain.
    const stopped = (await person.get("/people?group=stopped")).text;
    assertMatch(stopped, /<tbody>.*Rowan Pike.*Noor Haddad/s);
    assertEquals(stopped.includes(">outside, expected<"), false);
  }));

Deno.test("[e2e] POST /people/leavers: accepts a list of leavers or of staff", () =>
  withPerson(async ({ records: { leavers, people }, get, post, read, upload }) => {
    const path = "/people/leavers";
    const wrong = await upload(path, "emailAddress,left\nsam,\n,\nsam.okafor@example.com,soon\n");
    assertEquals(wrong.status, 400);
    assertMatch(wrong.text, /line 2: emailAddress must be.*line 4: left must be a day/s);
    assertEquals(await leavers.count(), 0);
    assertStringIncludes((await upload(path, "")).text, "that is not empty.</div>");
    const file = "emailAddress;left\nSam.Okafor@example.com;2026-09-30\n";
    assertEquals((await upload(path, file)).to, "/people?group=left");
    // Whoever leaves later has not left yet.
    await upload(path, "emailAddress,left\nmireille.eriksen@example.com,2126-12-31\n");
    const left = /Left <b>1.*Sam Okafor.*left by <time[^>]*>30 Sep</s;
    assertMatch((await get("/people?group=left")).text, left);
    assertStringIncludes(await read(path), "2 user ids and addresses of people who left");
    assertMatch((await get("/people?q=Mireille")).text, /leaves <time[^>]*>31 Dec 2126</);
    const listed = /Left, and still receiving.* 30 Sep .*Not expected/;
    assertMatch(await read("/people/worklist"), listed);
    assertEquals((await people.leaversOf(101)).map(({ userId }) => userId), [2102]);
    // One is taken off, who had not left, and the other stays.
    const person = `/people/${await people.find(2102)}`;
    const has = async () => (await get(person)).text.includes("Take off the list of leavers");
    assertEquals(await has(), true);
    assertEquals((await post(person, { stays: "true" })).to, person);
    assertEquals([await has(), await leavers.count()], [false, 1]);
    assertEquals(await people.leaversOf(101), []);
    assertEquals((await upload(path, "", { clear: "true" })).to, "/people");
    assertEquals(await leavers.count(), 0);
    // Whoever is inside, receives something and is not listed has left.
    await upload(path, "userId\n2102\n2101\n", { kind: "staff" });
    const others = (await get("/people?group=left")).text;
    const named = ["Sam Okafor", "Mireille Eriksen", "Rowan Pike"];
    assertEquals(named.map((name) => others.includes(name)), [false, true, false]);
  }));

Deno.test("[e2e] GET /: names schedules whose owner in the service left, once they did", () =>
  withPerson(async ({ app, records: { watches, leavers }, get, read }) => {
    await watches.add([101, 102], Date.now());
    const [{ ownerId }] = await app.services.store!.reportSchedules.history(101, { limit: 1 });
    const by = { actor: ADA, now: Date.now() };
    await leavers.add([{ userId: ownerId!, address: null, leftAt: by.now }], by);
    await pollAll(app.services);
    assertMatch(await read("/schedules/101"), /Owner in the service \| [^|]*, who left/);
    const today = (await get("/")).text;
    assertMatch(
      today,
      /Owned in the service by somebody who left: <a href="\/schedules\/101">[^<]*<\/a><\/p>/,
    );
  }));
