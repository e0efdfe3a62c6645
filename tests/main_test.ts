import { assert, assertEquals, assertMatch } from "@std/assert";
import { TOKEN } from "./app.ts";
import { withProgram } from "./program.ts";
import { startPostgres } from "./server/store/postgres/server.ts";

const ROOT = new URL("..", import.meta.url);

Deno.test("main: serves with the start task's permissions, and its link signs in once", () =>
  withProgram({}, async ({ origin, printed }) => {
    const [link] = /http:\S+\/sign-in\?code=[0-9a-f]{32}/.exec(printed())!;
    const button = await fetch(link);
    assertMatch(await button.text(), /You followed the link/);
    const body = () => new URLSearchParams({ code: new URL(link).searchParams.get("code")! });
    const redeem = () =>
      fetch(`${origin}/sign-in`, { method: "POST", body: body(), redirect: "manual" });
    const first = await redeem();
    await first.body?.cancel();
    assertEquals([first.status, first.headers.get("location")], [303, "/filesets"]);
    assert(first.headers.getSetCookie()[0].startsWith("docket_session_"));
    const second = await redeem();
    assertEquals(second.status, 401);
    await second.body?.cancel();
  }));

Deno.test("main: the printed link carries no token", () =>
  withProgram({}, ({ printed }) => {
    assertEquals(printed().includes(TOKEN), false);
    return Promise.resolve();
  }));

Deno.test("main: serves from PostgreSQL with the start task's permissions", async () => {
  const postgres = await startPostgres();
  try {
    await withProgram({ DATABASE_URL: await postgres.createDatabase() }, async ({ origin }) => {
      const response = await fetch(`${origin}/api/files/v1/filesets/search?limit=1`, {
        method: "POST",
        headers: { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" },
        body: "{}",
      });
      assertEquals(response.status, 200);
      assertEquals((await response.json()).pageContext.total, 5000);
    });
  } finally {
    await postgres.stop();
  }
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`main: ${signal} lets a request in flight finish, and ends with code 0`, () =>
    withProgram({}, async ({ origin, process }) => {
      let send = (_text: string) => {};
      let finish = () => {};
      const body = new ReadableStream<string>({
        start(controller) {
          send = (text) => controller.enqueue(text);
          finish = () => controller.close();
        },
      }).pipeThrough(new TextEncoderStream());
      const answer = fetch(`${origin}/api/files/v1/filesets/search?limit=1`, {
        method: "POST",
        headers: { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" },
        body,
      });
      send("{");
      // The request is in flight once the server answers another one that came after it.
      await (await fetch(`${origin}/sign-in`)).body?.cancel();
      process.kill(signal);
      send("}");
      finish();
      const response = await answer;
      assertEquals(response.status, 200);
      assertEquals((await response.json()).pageContext.total, 5000);
      assertEquals((await process.status).code, 0);
    }));
}

Deno.test("main: settings that can't be used end it at once, with every fault", async () => {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "main.ts"],
    cwd: ROOT,
    env: { PORT: "http", LOG_LEVEL: "loud" },
  }).output();
  const lines = new TextDecoder().decode(stderr).trim().split("\n");
  assertEquals(code, 1);
  assertEquals(lines, [
    "PORT must be a whole number from 0 to 65535",
    "LOG_LEVEL must be one of debug, info, warn, error",
  ]);
});

Deno.test("main: an address that is not this machine's is told", async () => {
  const dataDir = await Deno.makeTempDir();
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "main.ts"],
    cwd: ROOT,
    env: { HOST: "host.invalid", DATA_DIR: dataDir },
  }).output();
  await Deno.remove(dataDir, { recursive: true });
  assertEquals(code, 1);
  assertMatch(new TextDecoder().decode(stderr), /^HOST must be an address of this machine/);
});

Deno.test("main: imported, it exports fetch and does nothing else", async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", `const m = await import("./main.ts"); console.log(Object.keys(m.default));`],
    cwd: ROOT,
    env: { DATA_DIR: "/nonexistent/docket" },
  }).output();
  assertEquals([code, new TextDecoder().decode(stdout)], [0, '[ "fetch" ]\n']);
});
