import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { headerFaults } from "../answer_headers.ts";
import { SEARCH, searchRequest } from "../app.ts";
import { eventually } from "../eventually.ts";
import { withProgram } from "../program.ts";
import { server } from "../server/store/postgres/shared.ts";
import { layWire } from "../server/store/database/wire.ts";

Deno.test("[e2e] main: starts and ends while PostgreSQL is away, and serves once it is there", async () => {
  await using wire = layWire(await server.createSampleDatabase());
  const { url } = wire;
  await wire.cut();
  await withProgram({ DATABASE_URL: url }, async ({ origin, printed, end }) => {
    assertMatch(printed(), /Docket tries again.*The database cannot be reached \(ECONNREFUSED\)/);
    await eventually(() => assertStringIncludes(printed(), "The observer waits for the database"));
    const answers = [
      [await fetch(`${origin}/filesets`), "The database cannot be reached. Try again in a moment."],
      [await fetch(searchRequest(origin)), '"detail":"The database cannot be reached"'],
    ] as const;
    for (const [answer, words] of answers) {
      assertStringIncludes(await answer.text(), words);
      assertEquals([answer.status, answer.headers.get("retry-after")], [503, "5"]);
      assertEquals(headerFaults(answer, { isOperation: answer.url.includes(SEARCH) }), []);
    }
    wire.mend();
    await eventually(async () => {
      const response = await fetch(searchRequest(origin));
      const page = await response.json();
      assertEquals([response.status, page.pageContext?.total], [200, 5000]);
    });
    assertStringIncludes(printed(), "The database is available again");
    await wire.cut();
    assertEquals(await end(), 0);
    // It ended at once.
    assert(!/interrupted|docket:docket/.test(printed()) && !printed().includes(url));
  });
});
