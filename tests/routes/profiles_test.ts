/** Pages, exports and the API in front of services that differ where the interface is open. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { makeFileSets, makeRuns, type Profile } from "../../lib/testing/mod.ts";
import type { FileSetPage } from "../../lib/types.ts";
import { HEADER, ORIGIN, SEARCH, signIn, TOKEN } from "../app.ts";
import { withAppInFront } from "../service_on_port.ts";

const NOTE = "The service does not know LIKE, so Docket filtered all 250 file sets itself.";

const PROFILES: readonly Profile[] = ["documented", "vendor", "minimal", "strict"];

/** The page is too long to be printed. */
function assertHas(page: string, text: string): void {
  assert(page.includes(text), `${text} is not on the page`);
}

for (const profile of PROFILES) {
  Deno.test(`[e2e] pages: of a ${profile} service show its file sets and runs, all of them`, () =>
    withAppInFront(
      { profile, fileSets: makeFileSets(250), runs: { 101: makeRuns(250) } },
      async (app) => {
        const person = await signIn(app);
        // Which has to be searched by Docket itself.
        const isMinimal = profile === "minimal";
        const show = async (path: string) => {
          const { status, text } = await person.get(path);
          assertEquals(status, 200, `${path}: ${text}`);
          return text;
        };
        const second = await show("/filesets?offset=100");
        assertHas(second, "250 file sets");
        assertHas(second, "101 to 200 shown");
        assertMatch(second, /href="\/filesets\?[^"]*offset=200"/);
        const found = await show("/filesets?q=%22SET+12%22");
        assertHas(found, "11 of 250 file sets");
        assertEquals(found.includes(NOTE), isMinimal);
        const sorted = await show("/filesets?sort=-files");
        assertEquals(sorted.includes("The service does not know DESC"), isMinimal);
        assertHas(await show("/filesets?q=owner:1001"), " of 250 file sets");
        assertHas(await show(`/filesets/${makeFileSets(1)[0].id}`), "File set 0");
        assertHas(await show("/schedules/101"), "90.0 % of all 250 runs");
        const csv = await show("/filesets/export?q=%22SET+12%22&format=csv");
        assertEquals(csv.trim().split("\r\n").length, 12);
        const missing = await person.get("/schedules/7");
        assertEquals(missing.status, profile === "vendor" || profile === "strict" ? 403 : 404);
      },
    ));
}

Deno.test("[e2e] POST search: a session gets what Docket filters itself, a script the refusal", () =>
  withAppInFront({ profile: "minimal", fileSets: makeFileSets(250) }, async (app) => {
    const { fetch, get } = await signIn(app);
    const filters = [{ field: "name", operator: "LIKE", value: ["SET 12"] }];
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify({ filters }) };
    const path = `${SEARCH}?limit=5&offset=5`;
    const answer = await fetch(path, { ...init, headers: { ...headers, origin: ORIGIN } });
    const { fileSets, pageContext }: FileSetPage = await answer.json();
    assertEquals([fileSets.length, pageContext.total], [5, 11]);
    const script = new Request(ORIGIN + path, {
      ...init,
      headers: { ...headers, [HEADER]: TOKEN },
    });
    assertEquals((await app.fetch(script)).status, 400);
    // Nor is signed what the service refuses to find.
    const { status, text } = await get("/evidence?q=set");
    assertEquals(status, 400);
    assertHas(text, "No operator is called LIKE");
  }, { OBSERVER_TOKEN: TOKEN }));

Deno.test("[e2e] file sets: columns that the interface does not name are chosen, shown and exported", () => {
  const fileSets = makeFileSets(3).map((row, at) => ({
    ...row,
    tags: at === 0 ? ["new", "<b>"] : null,
    archived: at === 1,
  }));
  return withAppInFront({ fileSets }, async (app) => {
    const person = await signIn(app);
    assertMatch((await person.get("/filesets")).text, /value="tags"[^>]*>Tags/);
    const path = "/filesets?columns=name,tags,archived&open=" + fileSets[0].id;
    const { status, text } = await person.get(path);
    assertEquals(status, 200);
    assertHas(text, 'data-label="Tags">[&quot;new&quot;,&quot;&lt;b>&quot;]</td>');
    assertHas(text, 'data-label="Archived">true</td>');
    assertHas(text, "<dt>Tags</dt>");
    const chosen = "new-form=1&new-column=name&new-column=tags";
    assertEquals((await person.get(`/filesets?${chosen}`)).to, "/filesets?columns=name,tags");
    const csv = await person.get("/filesets/export?columns=name,tags&format=csv");
    assertEquals(csv.text.split("\r\n").slice(0, 2), [
      "name,tags",
      'File set 0,"[""new"",""<b>""]"',
    ]);
  });
});
