/** Pages, exports and the API in front of services that differ where the interface is open. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { makeFileSets, makeRuns, type Profile } from "../../lib/testing/mod.ts";
import type { FileSetPage } from "../../lib/types.ts";
import { type App, HEADER, ORIGIN, SEARCH, sessionCookie, signIn, TOKEN } from "../app.ts";
import { withAppInFront } from "../service_on_port.ts";

const NOTE = "The service does not know LIKE, so Docket filtered all 250 file sets itself.";

/** What differs, for each profile: which searches Docket has to answer itself. */
const PROFILES: readonly (readonly [Profile, isMinimal: boolean])[] = [
  ["documented", false],
  ["vendor", false],
  ["minimal", true],
  ["strict", false],
];

/** The page is too long to be printed. */
function assertHas(page: string, text: string): void {
  assert(page.includes(text), `${text} is not on the page`);
}

for (const [profile, isMinimal] of PROFILES) {
  Deno.test(`[e2e] pages: of a ${profile} service show its file sets and runs, all of them`, () =>
    withAppInFront(
      { profile, fileSets: makeFileSets(250), runs: { 101: makeRuns(250) } },
      async (app) => {
        const person = await signIn(app, ORIGIN);
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

/** The answer to a search of the API, with a session or with a token. */
async function search({ fetch }: App, headers: HeadersInit, query = "") {
  const filters = [{ field: "name", operator: "LIKE", value: ["SET 12"] }];
  return await fetch(
    new Request(`${ORIGIN}${SEARCH}${query}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ filters }),
    }),
  );
}

Deno.test("[e2e] POST search: a refusal is passed on to scripts", () =>
  withAppInFront({ profile: "minimal", fileSets: makeFileSets(250) }, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    const answer = await search(app, { cookie, origin: ORIGIN }, "?limit=5&offset=5");
    const { fileSets, pageContext }: FileSetPage = await answer.json();
    assertEquals([fileSets.length, pageContext.total], [5, 11]);
    assertEquals((await search(app, { [HEADER]: TOKEN })).status, 400);
  }));

Deno.test("[e2e] file sets: too many to filter are an error with the operator and their number", () =>
  withAppInFront({ profile: "minimal", fileSets: makeFileSets(20_001) }, async (app) => {
    const { status, text } = await (await signIn(app, ORIGIN)).get("/filesets?q=%22SET+12%22");
    assertEquals(status, 400);
    assertHas(text, "The service does not know LIKE, and has 20,001 file sets");
    assert(!text.includes("<tbody>"));
  }));

Deno.test("[e2e] GET evidence: what the service refuses to find is not signed", () =>
  withAppInFront({ profile: "minimal", fileSets: makeFileSets(3) }, async (app) => {
    const person = await signIn(app, ORIGIN);
    assertEquals((await person.get("/filesets?q=set")).status, 200);
    const { status, text } = await person.get("/evidence?q=set");
    assertEquals(status, 400);
    assertHas(text, "No operator is called LIKE");
    assertEquals((await person.get("/evidence?q=owner:ann")).status, 200);
  }, { OBSERVER_TOKEN: TOKEN }));

Deno.test("[e2e] file sets: columns that the interface does not name are chosen, shown and exported", () => {
  const fileSets = makeFileSets(3).map((row, at) => ({
    ...row,
    tags: at === 0 ? ["new", "<b>"] : null,
    archived: at === 1,
  }));
  return withAppInFront({ fileSets }, async (app) => {
    const person = await signIn(app, ORIGIN);
    assertMatch((await person.get("/filesets")).text, /value="tags"[^>]*>Tags/);
    const path = "/filesets?columns=name,tags,archived&open=" + fileSets[0].id;
    const { status, text } = await person.get(path);
    assertEquals(status, 200);
    assertHas(text, 'data-label="Tags">[&quot;new&quot;,&quot;&lt;b>&quot;]</td>');
    assertHas(text, 'data-label="Archived">true</td>');
    assertHas(text, "<dt>Tags</dt>");
    const chosen = "new-form=1&new-column=name&new-column=tags";
    const { headers } = await app.fetch(
      new Request(`${ORIGIN}/filesets?${chosen}`, {
        headers: { cookie: await sessionCookie(app, ORIGIN) },
      }),
    );
    assertEquals(headers.get("location"), "/filesets?columns=name,tags");
    const csv = await person.get("/filesets/export?columns=name,tags&format=csv");
    assertEquals(csv.text.split("\r\n").slice(0, 2), [
      "name,tags",
      'File set 0,"[""new"",""<b>""]"',
    ]);
  });
});
