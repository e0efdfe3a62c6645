/** Pages, exports and the API in front of services that differ where the interface is open. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { makeFileSets, makeRuns } from "../../lib/testing/mod.ts";
import type { FileSetPage } from "../../lib/types.ts";
import { assertAnswer, ORIGIN, SEARCH, searchRequest, signIn, TOKEN } from "../app.ts";
import { withAppInFront } from "../upstream.ts";

const NOTE = "The service does not know LIKE, so Docket filtered all 250 file sets itself.";

for (const profile of ["documented", "vendor", "minimal", "strict"] as const) {
  Deno.test(`[e2e] pages: of a ${profile} service show its file sets and runs, all of them`, () =>
    withAppInFront(
      { profile, fileSets: makeFileSets(250), runs: { 101: makeRuns(250) } },
      async (app) => {
        const { get } = await signIn(app);
        // Which has to be searched by Docket itself.
        const isMinimal = profile === "minimal";
        const pages = {
          "/filesets?offset=100": ["250 file sets", "101 to 200 shown", "offset=200"],
          "/filesets?q=%22SET+12%22": ["11 of 250 file sets", ...isMinimal ? [NOTE] : []],
          "/filesets?sort=-files": isMinimal ? ["The service does not know DESC"] : [],
          "/filesets?q=owner:1001": [" of 250 file sets"],
          [`/filesets/${makeFileSets(1)[0].id}`]: ["File set 0"],
          "/schedules/101": ["90.0 % of all 250 runs"],
        };
        for (const [path, words] of Object.entries(pages)) {
          const answer = await get(path);
          assertAnswer(answer, 200, ...words);
          const isFiltered = answer.text.includes("The service does not know");
          assert(isMinimal || !isFiltered, path);
        }
        const csv = await get("/filesets/export?q=%22SET+12%22&format=csv");
        assertEquals(csv.text.trim().split("\r\n").length, 12);
        const isHidden = profile === "vendor" || profile === "strict";
        assertAnswer(await get("/schedules/7"), isHidden ? 403 : 404);
      },
    ));
}

Deno.test("[e2e] POST search: a session gets what Docket filters itself, a script the refusal", () =>
  withAppInFront({ profile: "minimal", fileSets: makeFileSets(250) }, async (app) => {
    const { fetch, get } = await signIn(app);
    const filters = [{ field: "name", operator: "LIKE", value: ["SET 12"] }];
    const headers = { "content-type": "application/json", origin: ORIGIN };
    const init = { method: "POST", headers, body: JSON.stringify({ filters }) };
    const query = "?limit=5&offset=5";
    const answer = await fetch(SEARCH + query, init);
    const { fileSets, pageContext }: FileSetPage = await answer.json();
    assertEquals([fileSets.length, pageContext.total], [5, 11]);
    const script = searchRequest(ORIGIN, query, init.body);
    assertEquals((await app.fetch(script)).status, 400);
    // Nor is signed what the service refuses to find.
    assertAnswer(await get("/evidence?q=set"), 400, "No operator is called LIKE");
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
    const cells = ['Tags">[&quot;new&quot;,&quot;&lt;b>&quot;]</td>', 'Archived">true</td>'];
    assertAnswer(await person.get(path), 200, "<dt>Tags</dt>", ...cells);
    const chosen = "new-form=1&new-column=name&new-column=tags";
    assertEquals((await person.get(`/filesets?${chosen}`)).to, "/filesets?columns=name,tags");
    const csv = await person.get("/filesets/export?columns=name,tags&format=csv");
    assertEquals(csv.text.split("\r\n").slice(0, 2), [
      "name,tags",
      'File set 0,"[""new"",""<b>""]"',
    ]);
  });
});
