/** Going to pages and schedules by name. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { storeChanges } from "../../server/store/runs/store_runs.ts";
import { assertAnswer, withPerson } from "../app.ts";
import { linksOf, textOf, textsOf } from "../components/rendered.ts";

Deno.test("[e2e] /go: finds pages, schedules, any other id and runs, and counts what it leaves out", () =>
  withPerson(async ({ app, records, get, post }) => {
    await records.watches.add([102], Date.now(), { name: "Claims & co" });
    const known = { source: "found", watched: 0 } as const;
    await records.watches.add([104], Date.now(), { name: "Found" }, undefined, known);
    const read = async (text: string) => {
      const { text: html } = await get(`/go?${new URLSearchParams({ q: text })}`);
      return html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    };
    assertEquals(linksOf(await read(""))["File sets"], "/filesets");
    const focused = async (text: string) => (await read(text)).match(/<a [^>]*autofocus/g)?.length;
    assertEquals([await focused(""), await focused("10")], [undefined, 1]);
    assertEquals(linksOf(await read("10")), {
      "Schedule 10": "/schedules/10",
      "Claims & co 102": "/schedules/102",
      "Found 104": "/schedules/104",
      "Search file sets for “10”": "/filesets?q=10",
    });
    const notes = "| Claims & co 102 unknown | Found 104 not watched |";
    assertStringIncludes(textOf(await read("10")), notes);
    for (const [text, only] of [["CLAIMS", "/schedules/102"], ["777", "/schedules/777"]]) {
      assertEquals((await get(`/go?q=${text}`)).to, only);
    }
    for (const [id, name] of [[102, "Claims &amp; co"], [103, "Warehouse stock"]]) {
      assertAnswer(await get(`/schedules/${id}`), 200, `<h1>${name}</h1>`);
    }
    const nothing = textOf(await read("<b>zzz"));
    assertStringIncludes(nothing, "No page, person, run or known schedule matches “<b>zzz”.");
    // A typed address finds its person, and stands in no URL: not of the form, nor of a link.
    const { listed } = (await records.people.get(1))!;
    assertEquals((await post("/go", { q: listed.emailAddress! })).to, "/people/1");
    const { text: some } = await post("/go", { q: "@example.com" });
    assertEquals(some.match(/<form [^>]*action="\/go"/g), ['<form method="post" action="/go"']);
    assertEquals(some.match(/href="[^"]*(@|%40)/g), null);
    // Only what the page People reads.
    const people = Object.values(linksOf(await read("example"))).filter((to) =>
      to.includes("/people?")
    );
    assertEquals(people, ["/people?q=example"]);
    // Whoever has no name has a masked address.
    const recipients = ["zoe", "yan"].map((name) => ({ emailAddress: `${name}@nameless.example` }));
    const run = { id: 1, startTime: "2026-11-01T06:00:00Z", status: "success", recipients };
    await app.services.store!.put({ runs: [{ scheduleId: 101, run }] });
    assertStringIncludes(await read("nameless"), ">z…@nameless.example<");
    // Runs are found by their ids, of whatever schedule.
    const put = [5, 6].map((day) => ({
      run: { id: 4706 + day, startTime: new Date(Date.UTC(2026, 0, day, 6)).toISOString() },
    }));
    for (const id of [102, 104]) await records.commit([storeChanges(id, { put }, 1)]);
    const runs = await read("4711");
    assertEquals(linksOf(runs)["Run 4711 of Found"], "/schedules/104/runs/4711");
    assertEquals(linksOf(runs)["Run 4711 of Claims & co"], "/schedules/102/runs/4711");
    assertStringIncludes(textOf(runs), "Run 4711 of Found Mon 5 Jan");
    // Of a hundred watches a bounded answer that counts them all.
    const ids = Array.from({ length: 100 }, (_, at) => 1000 + at);
    await records.watches.add(ids, Date.now(), { name: "Nightly" });
    const others = ids.map((id) => id - 999).slice(0, 9);
    await records.watches.add(others, Date.now(), { name: "Weekly" });
    for (const [text, words] of [["nightly", "92 more schedules match."], ["weekly", "1 more"]]) {
      const said = textsOf(await read(text), "p");
      assert(said.some((each) => each.startsWith(words)), words);
    }
  }));

Deno.test("[e2e] /preferences: are stored in the browser, and pages show them", () =>
  withPerson(async ({ get, post }) => {
    const save = (zone: string) =>
      post("/preferences", { zone, theme: "dark", density: "compact" });
    const { status, cookies: none } = await save("Mars/Olympus");
    assertEquals([status, none], [400, ""]);
    const { cookies } = await save("Europe/Berlin");
    const chosen = (await get("/preferences", cookies)).text.matchAll(
      /name="zone"[^>]*value="([^"]+)|(\w+)" selected/g,
    );
    const values = [...chosen].map(([, zone, choice]) => zone ?? choice);
    assertEquals(values, ["Europe/Berlin", "dark", "compact"]);
    const shown = ['data-theme="dark" data-density="compact"', "Berlin time"];
    assertAnswer(await get("/schedules/101", cookies), 200, ...shown);
  }));
