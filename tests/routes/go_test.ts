/** Going to pages and schedules by name. */
import { assert, assertEquals } from "@std/assert";
import { type App, ORIGIN, sessionCookie, withApp } from "../app.ts";
import { linksOf, textOf, textsOf } from "../components/rendered.ts";

async function get(app: App, path: string): Promise<Response> {
  const cookie = await sessionCookie(app, ORIGIN);
  return await app.fetch(new Request(ORIGIN + path, { headers: { cookie } }));
}

async function watch({ services }: App, ids: readonly number[], name: string): Promise<void> {
  await services.records!.watches.add(ids, Date.now(), { name });
}

Deno.test("[e2e] /go: finds pages, known schedules by name and id, and any other id", () =>
  withApp({}, async (app) => {
    await watch(app, [102], "Claims & co");
    await watch(app, [103], "Sales");
    const known = { source: "found", watched: 0 } as const;
    await app.services.records!.watches.add([104], Date.now(), { name: "Found" }, undefined, known);
    const read = async (text: string) => {
      const html = await (await get(app, `/go?${new URLSearchParams({ q: text })}`)).text();
      return html.slice(html.indexOf("<main"), html.indexOf("<dialog"));
    };
    const all = linksOf(await read(""));
    assertEquals(all["102 Claims & co"], "/schedules/102");
    assertEquals(all["103 Sales"], "/schedules/103");
    assertEquals(all["104 Found"], "/schedules/104");
    assertEquals(all["File sets"], "/filesets");
    assertEquals(linksOf(await read("10")), {
      "Schedule 10": "/schedules/10",
      "102 Claims & co": "/schedules/102",
      "103 Sales": "/schedules/103",
      "104 Found": "/schedules/104",
      "Search file sets for “10”": "/filesets?q=10",
    });
    for (const [text, only] of [["CLAIMS", "/schedules/102"], ["777", "/schedules/777"]]) {
      const { status, headers } = await get(app, `/go?q=${text}`);
      assertEquals([status, headers.get("location")], [303, only]);
    }
    const nothing = await read("<b>zzz");
    assert(
      textOf(nothing).includes("No page, person or known schedule matches “<b>zzz”."),
      nothing,
    );
  }));

Deno.test("[e2e] /go: of ten thousand watches a bounded answer that counts them all", () =>
  withApp({}, async (app) => {
    const ids = Array.from({ length: 10_000 }, (_, at) => 1000 + at);
    await watch(app, ids, "Nightly");
    await watch(app, ids.slice(0, 9).map((id) => id - 999), "Weekly");
    for (
      const [text, words] of [["nightly", "9,992 more schedules match."], ["weekly", "1 more"]]
    ) {
      const page = await (await get(app, `/go?q=${text}`)).text();
      assert(textsOf(page, "p").some((text) => text.startsWith(words)), words);
    }
  }));

Deno.test("[e2e] a name that turns its line around reads in order on pages", () =>
  withApp({}, async (app) => {
    const plan = { cron: ["0 * * * *"], zone: "UTC", graceMs: 300_000, since: 0 };
    const { records } = app.services;
    await records!.watches.add([101], Date.now(), { name: "Sales \u202efdp.\u2066", plan });
    for (const path of ["/", "/schedules", "/schedules/101", "/go"]) {
      const text = await (await get(app, path)).text();
      assert(text.includes("Sales \ufffdfdp.\ufffd"), path);
      assert(!/[\u202a-\u202e\u2066-\u2069]/.test(text), path);
    }
  }));

Deno.test("[e2e] /preferences: one alone can be changed, and the others stay", () =>
  withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    const send = (cookie: string, saved?: Record<string, string>) => {
      const form = saved && { method: "POST", body: new URLSearchParams(saved) };
      return app.fetch(new Request(`${ORIGIN}/preferences`, { headers: { cookie }, ...form }));
    };
    const kept = ({ headers }: Response) =>
      `${cookie}; ${headers.getSetCookie().find((text) => text.startsWith("docket_pref"))}`;
    const first = await send(cookie, { zone: "Europe/Berlin", theme: "dark", shortcuts: "off" });
    const second = await send(kept(first), { density: "compact" });
    const html = await (await send(kept(second))).text();
    const chosen = [...html.matchAll(/name="zone"[^>]*value="([^"]+)|(\w+)" selected/g)];
    const values = chosen.map(([, zone, choice]) => zone ?? choice);
    assertEquals([second.status, ...values], [303, "Europe/Berlin", "dark", "compact", "off"]);
  }));
