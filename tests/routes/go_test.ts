/** Going to pages and schedules by name. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { storeChanges } from "../../server/store/runs/store_runs.ts";
import { type App, assertAnswer, withPerson } from "../app.ts";
import { linksOf, textOf, textsOf } from "../components/rendered.ts";

async function watch({ services }: App, ids: readonly number[], name: string): Promise<void> {
  await services.records!.watches.add(ids, Date.now(), { name });
}

Deno.test("[e2e] /go: finds pages, known schedules by name and id, and any other id", () =>
  withPerson(async ({ app, records, get }) => {
    await watch(app, [102], "Claims & co");
    const known = { source: "found", watched: 0 } as const;
    await records.watches.add([104], Date.now(), { name: "Found" }, undefined, known);
    const read = async (text: string) => {
      const { text: html } = await get(`/go?${new URLSearchParams({ q: text })}`);
      return html.slice(html.indexOf("<main"), html.indexOf("<dialog"));
    };
    assertEquals(linksOf(await read(""))["File sets"], "/filesets");
    const focused = async (text: string) => (await read(text)).match(/<a [^>]*autofocus/g)?.length;
    assertEquals([await focused(""), await focused("10")], [undefined, 1]);
    assertEquals(linksOf(await read("10")), {
      "Schedule 10": "/schedules/10",
      "102 Claims & co": "/schedules/102",
      "104 Found": "/schedules/104",
      "Search file sets for “10”": "/filesets?q=10",
    });
    const notes = "| 102 Claims & co unknown | 104 Found not watched |";
    assertStringIncludes(textOf(await read("10")), notes);
    for (const [text, only] of [["CLAIMS", "/schedules/102"], ["777", "/schedules/777"]]) {
      const { status, to } = await get(`/go?q=${text}`);
      assertEquals([status, to], [303, only]);
    }
    for (const [id, name] of [[102, "Claims &amp; co"], [103, "Warehouse stock"]]) {
      assertAnswer(await get(`/schedules/${id}`), 200, `<h1>${name}</h1>`);
    }
    const nothing = textOf(await read("<b>zzz"));
    assertStringIncludes(nothing, "No page, person, run or known schedule matches “<b>zzz”.");
    // An address would stand in the link.
    const { listed } = (await records.people.get(1))!;
    assertStringIncludes(textOf(await read(listed.emailAddress!)), "An address is found on People");
    assertEquals(linksOf(await read("example"))["All who match"], "/people?q=example");
    // Whoever has no name has a masked address.
    const recipients = [{ emailAddress: "zoe@nameless.example" }];
    const run = { id: 1, startTime: "2026-11-01T06:00:00Z", status: "success", recipients };
    await app.services.store!.put({ runs: [{ scheduleId: 101, run }] });
    assertStringIncludes(await read("nameless"), ">z…@nameless.example<");
  }));

Deno.test("[e2e] /go: finds the runs with an id, of whatever schedule", () =>
  withPerson(async ({ app, records, get }) => {
    await watch(app, [102, 103], "Claims");
    const run = (id: number, start: number) => ({ id, start, run: { id } });
    const put = [run(4711, Date.UTC(2026, 0, 5, 6)), run(4712, Date.UTC(2026, 0, 6, 6))];
    for (const scheduleId of [102, 103]) {
      await records.commit([storeChanges(scheduleId, { put }, 1)]);
    }
    const { text } = await get("/go?q=4711");
    assertEquals(linksOf(text)["Run 4711 of Claims"], "/schedules/103/runs/4711");
    assertStringIncludes(text, "/schedules/102/runs/4711");
    assertStringIncludes(textOf(text), "Run 4711 of Claims Mon 5 Jan");
  }));

Deno.test("[e2e] /go: of a hundred watches a bounded answer that counts them all", () =>
  withPerson(async ({ app, get }) => {
    const ids = Array.from({ length: 100 }, (_, at) => 1000 + at);
    await watch(app, ids, "Nightly");
    await watch(app, ids.slice(0, 9).map((id) => id - 999), "Weekly");
    const more = { nightly: "92 more schedules match.", weekly: "1 more" };
    for (const [text, words] of Object.entries(more)) {
      const said = textsOf((await get(`/go?q=${text}`)).text, "p");
      assert(said.some((each) => each.startsWith(words)), words);
    }
  }));

Deno.test("[e2e] /preferences: are stored in the browser, and pages show them", () =>
  withPerson(async ({ fetch }) => {
    const save = async (zone: string) => {
      const saved = { zone, theme: "dark", density: "compact", shortcuts: "off" };
      const init = { method: "POST", body: new URLSearchParams(saved) };
      const { status, headers } = await fetch("/preferences", init);
      const cookies = headers.getSetCookie().filter((text) => text.startsWith("docket_pref"));
      return { status, cookies: cookies.map((text) => text.split(";")[0]).join() };
    };
    assertEquals(await save("Mars/Olympus"), { status: 400, cookies: "" });
    const { cookies } = await save("Europe/Berlin");
    const read = async (path: string) => await (await fetch(path, {}, cookies)).text();
    const chosen = (await read("/preferences")).matchAll(
      /name="zone"[^>]*value="([^"]+)|(\w+)" selected/g,
    );
    const values = [...chosen].map(([, zone, choice]) => zone ?? choice);
    assertEquals(values, ["Europe/Berlin", "dark", "compact", "off"]);
    const page = await read("/schedules/101");
    assertStringIncludes(page, 'data-theme="dark" data-density="compact"');
    assertStringIncludes(page, "Berlin time");
  }));
