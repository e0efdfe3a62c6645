import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { TOKEN } from "../app.ts";
import { eventually } from "../eventually.ts";
import { endOfProgram, withProgram } from "../program.ts";
import { type PostgresServer, startPostgres } from "../server/store/postgres/server.ts";
import { server } from "../server/store/postgres/shared.ts";
import { withFolder } from "../with_folder.ts";

const ROOT = new URL("../..", import.meta.url);

/** Runs a test with a PostgreSQL of its own, which it may end, and the URL of a database in it, with the sample. */
async function withPostgres(
  test: (postgres: PostgresServer, url: string) => Promise<void>,
): Promise<void> {
  const postgres = await startPostgres();
  try {
    await test(postgres, await postgres.createSampleDatabase());
  } finally {
    await postgres.stop();
  }
}

function search(origin: string): Promise<Response> {
  return fetch(`${origin}/api/files/v1/filesets/search?limit=1`, {
    method: "POST",
    headers: { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" },
    body: "{}",
  });
}

/** Waits until the program answers a search. */
async function isAnswered(origin: string): Promise<void> {
  await eventually(async () => {
    const response = await search(origin);
    const page = await response.json();
    assertEquals([response.status, page.pageContext?.total], [200, 5000]);
  });
}

/** What every request is answered while the database is away. */
async function assertUnavailable(origin: string): Promise<void> {
  for (const path of ["/filesets", "/schedules/101", "/sign-in"]) {
    const page = await fetch(origin + path);
    const html = await page.text();
    assertEquals(page.status, 503, path);
    assertEquals(page.headers.get("retry-after"), "5");
    assertStringIncludes(page.headers.get("cache-control")!, "no-store");
    assertStringIncludes(page.headers.get("content-security-policy")!, "default-src 'none'");
    assertMatch(html, /<h1>The service is not available<\/h1>/);
    assertStringIncludes(html, "The database cannot be reached. Try again in a moment.");
    assertMatch(html, /<a href="\/[^"]*">Try again<\/a>/);
    const [, style] = /<link rel="stylesheet" href="([^"]+)"/.exec(html)!;
    const file = await fetch(origin + style);
    await file.body?.cancel();
    assertEquals([file.status, file.headers.get("content-type")], [200, "text/css; charset=utf-8"]);
  }
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

Deno.test("[e2e] main: starts while PostgreSQL is away, and serves by itself once it is there", () =>
  withPostgres(async (postgres, url) => {
    await postgres.halt();
    await withProgram({ DATABASE_URL: url }, async ({ origin, printed }) => {
      assertMatch(printed(), /Docket tries again.*The database cannot be reached \(ECONNREFUSED\)/);
      await assertUnavailable(origin);
      await postgres.restart();
      await isAnswered(origin);
      assertStringIncludes(printed(), "The database is available again");
      assert(!printed().includes(url) && !printed().includes("docket:docket"), printed());
    });
  }));

Deno.test("[e2e] main: starts on a read-only empty database, and fills it later", async () => {
  const url = await server.createDatabase();
  const { pathname } = new URL(url);
  const allow = (readOnly: "on" | "off") =>
    server.asOwner(
      url,
      "SET default_transaction_read_only = off",
      `ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = ${readOnly}`,
    );
  await allow("on");
  await withProgram({ DATABASE_URL: url }, async ({ origin, printed }) => {
    assertMatch(printed(), /Docket tries again.*The database cannot be written to/);
    const answer = await search(origin);
    await answer.body?.cancel();
    assertEquals(answer.status, 503);
    await allow("off");
    await isAnswered(origin);
    assertStringIncludes(printed(), "The database is available again");
  });
});

Deno.test("[e2e] main: the exported fetch answers while PostgreSQL is away, and once it is there", () =>
  withPostgres(async (postgres, url) => {
    await postgres.halt();
    const dataDir = await Deno.makeTempDir();
    const serve = `const { default: main } = await import(${JSON.stringify(`${ROOT}main.ts`)});
      const onListen = ({ port }) => console.log("http://127.0.0.1:" + port);
      Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, main.fetch);`;
    const process = new Deno.Command(Deno.execPath(), {
      args: ["eval", serve],
      cwd: ROOT,
      env: { DATABASE_URL: url, DATA_DIR: dataDir, SERVICE_TOKEN: TOKEN },
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const said = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const origin = (await said.read()).value!.trim();
    await assertUnavailable(origin);
    await postgres.restart();
    await isAnswered(origin);
    process.kill("SIGKILL");
    await process.status;
    await said.cancel();
    await Deno.remove(dataDir, { recursive: true });
  }));

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
