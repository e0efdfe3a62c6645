import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { TOKEN } from "../app.ts";
import { eventually } from "../eventually.ts";
import { endOfProgram, outputOf } from "../program.ts";
import { server } from "../server/store/postgres/shared.ts";
import { layWire } from "../server/store/database/wire.ts";
import { withFolder } from "../with_folder.ts";

function search(origin: string): Promise<Response> {
  return fetch(`${origin}/api/files/v1/filesets/search?limit=1`, {
    method: "POST",
    headers: { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" },
    body: "{}",
  });
}

/** What every request is answered while the database is away. */
async function assertUnavailable(origin: string): Promise<void> {
  const page = await fetch(`${origin}/filesets`);
  const html = await page.text();
  assertEquals([page.status, page.headers.get("retry-after")], [503, "5"]);
  assertStringIncludes(page.headers.get("cache-control")!, "no-store");
  assertStringIncludes(page.headers.get("content-security-policy")!, "default-src 'none'");
  assertMatch(html, /<h1>The service is not available<\/h1>/);
  assertStringIncludes(html, "The database cannot be reached. Try again in a moment.");
  assertMatch(html, /<a href="\/[^"]*">Try again<\/a>/);
  const [, style] = /<link rel="stylesheet" href="([^"]+)"/.exec(html)!;
  const file = await fetch(origin + style);
  await file.body?.cancel();
  assertEquals([file.status, file.headers.get("content-type")], [200, "text/css; charset=utf-8"]);
  const answer = await search(origin);
  const { requestId: _, ...problem } = await answer.json();
  assertEquals(answer.headers.get("content-type"), "application/problem+json");
  assertEquals([answer.status, answer.headers.get("retry-after")], [503, "5"]);
  assertEquals(problem, {
    type: "urn:docket:problem:unavailable",
    title: "The service is not available",
    status: 503,
    detail: "The database cannot be reached",
    errors: [],
  });
}

Deno.test("[e2e] main: starts and ends while PostgreSQL is away, and serves once it is there", async () => {
  await using wire = layWire(await server.createSampleDatabase());
  const { url } = wire;
  await wire.cut();
  const printed = await outputOf({ DATABASE_URL: url }, async ({ origin, printed, process }) => {
    assertMatch(printed(), /Docket tries again.*The database cannot be reached \(ECONNREFUSED\)/);
    await assertUnavailable(origin);
    wire.mend();
    await eventually(async () => {
      const response = await search(origin);
      const page = await response.json();
      assertEquals([response.status, page.pageContext?.total], [200, 5000]);
    });
    assertStringIncludes(printed(), "The database is available again");
    await wire.cut();
    process.kill("SIGTERM");
    assertEquals((await process.status).code, 0);
  });
  // It ended at once.
  assert(!/interrupted|docket:docket/.test(printed) && !printed.includes(url), printed);
});

Deno.test("main: a password that is wrong ends it with a line that says where", () =>
  withFolder(async (DATA_DIR) => {
    const url = new URL(await server.createDatabase());
    const DATABASE_URL = Object.assign(url, { password: "wrong-of-the-test" }).href;
    const said = await endOfProgram({ DATABASE_URL, DATA_DIR, SERVICE_TOKEN: TOKEN });
    assertEquals(
      said,
      "The database denies Docket access (28P01): correct the user and password in " +
        "DATABASE_URL, and check that pg_hba.conf allows them\n",
    );
  }));
