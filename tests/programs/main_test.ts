import { assert, assertEquals, assertMatch } from "@std/assert";
import { headerFaults } from "../answer_headers.ts";
import { TOKEN } from "../app.ts";
import { eventually } from "../eventually.ts";
import { endOfProgram, withProgram } from "../program.ts";
import { withFolder } from "../with_folder.ts";

const ROOT = new URL("../..", import.meta.url);

Deno.test("main: serves with the start task's permissions, and its link signs in once", () =>
  // The folder is empty, as at a first start: it fills the database.
  withFolder((DATA_DIR) =>
    withProgram({ DATA_DIR }, async ({ origin, printed }) => {
      const [link] = /http:\S+\/sign-in\?code=[0-9a-f]{32}/.exec(printed())!;
      const button = await fetch(link);
      assertMatch(await button.text(), /The link that Docket prints/);
      const body = () => new URLSearchParams({ code: new URL(link).searchParams.get("code")! });
      const redeem = () =>
        fetch(`${origin}/sign-in`, { method: "POST", body: body(), redirect: "manual" });
      const first = await redeem();
      await first.body?.cancel();
      assertEquals([first.status, first.headers.get("location")], [303, "/"]);
      assert(first.headers.getSetCookie()[0].startsWith("docket_session_"));
      const second = await redeem();
      assertEquals(second.status, 401);
      await second.body?.cancel();
    })
  ));

Deno.test("main: SIGTERM lets a request in flight finish, and ends with code 0", () =>
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
    process.kill("SIGTERM");
    send("}");
    finish();
    const response = await answer;
    assertEquals(response.status, 200);
    assertEquals((await response.json()).pageContext.total, 5000);
    assertEquals((await process.status).code, 0);
  }));

Deno.test("main: a service that did not open is a 503, and tried again", async () => {
  const dataDir = await Deno.makeTempDir();
  await Deno.writeTextFile(`${dataDir}/file`, "");
  const script = `const { default: { fetch } } = await import("./main.ts");
    const answers = [];
    for (const path of ["/filesets", "/api/files/v1/filesets/search"]) {
      const { status, headers } = await fetch(new Request("http://localhost:8000" + path));
      answers.push([path, status, [...headers]]);
    }
    const health = [];
    for (const path of ["/healthz", "/readyz"]) {
      const response = await fetch(new Request("http://localhost:8000" + path));
      health.push([path, response.status, (await response.json()).status]);
    }
    Deno.removeSync(${JSON.stringify(`${dataDir}/file`)});
    const { status } = await fetch(new Request("http://localhost:8000/sign-in"));
    console.log(JSON.stringify({ answers, health, status }));
    Deno.exit();`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", script],
    cwd: ROOT,
    env: { DATA_DIR: `${dataDir}/file`, SERVICE_TOKEN: TOKEN },
  }).output();
  await Deno.remove(dataDir, { recursive: true });
  assertMatch(new TextDecoder().decode(stderr), /The data folder .* can't be created or written/);
  const { answers, health, status } = JSON.parse(new TextDecoder().decode(stdout));
  for (const [path, status, headers] of answers) {
    assertEquals(status, 503);
    const response = new Response(null, { status, headers });
    assertEquals(headerFaults(response, { isOperation: path.startsWith("/api/") }), [], path);
  }
  assertEquals(health, [["/healthz", 200, "ok"], ["/readyz", 503, "unavailable"]]);
  assertEquals([answers.length, status], [2, 200]);
});

Deno.test("main: a folder that can't be written ends it, with what to set instead", async () => {
  // A folder under a file can't be made by anybody, the superuser included.
  const file = await Deno.makeTempFile();
  const DATA_DIR = `${file}/data`;
  const keys = { SERVICE_TOKEN: TOKEN, SESSION_KEY: "k".repeat(32), RECORDS_KEY: "k".repeat(32) };
  const all = await endOfProgram({ DATA_DIR });
  const some = await endOfProgram({ DATA_DIR, ...keys });
  await Deno.remove(file);
  assertMatch(
    all,
    /do without one: SESSION_KEY, RECORDS_KEY, SERVICE_TOKEN, DATABASE_URL .*openssl rand -hex 32/,
  );
  assertMatch(some, /do without one: DATABASE_URL\n$/);
});

Deno.test("main: settings that can't be used end it at once, with every fault", async () => {
  const said = await endOfProgram({ PORT: "http", LOG_LEVEL: "loud" });
  assertEquals(said.trim().split("\n"), [
    "PORT must be a whole number from 0 to 65535",
    "LOG_LEVEL must be one of debug, info, warn, error",
  ]);
});

Deno.test("main: a port that is in use is named, with what to set", () =>
  withFolder(async (DATA_DIR) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const PORT = `${taken.addr.port}`;
    assertEquals(
      await endOfProgram({ PORT, DATA_DIR }),
      `Port ${PORT} is in use by another program: set PORT to another one, such as 8080\n`,
    );
  }));

Deno.test("main: says how to sign in where it prints no link", async () => {
  await withProgram({ PUBLIC_ORIGIN: "https://docket.example" }, ({ printed }) => {
    assertMatch(printed(), /The developer token for signing in and for scripts is the one in /);
    return Promise.resolve();
  });
  await withProgram({ SERVICE_BASE_URL: "http://127.0.0.1:9/" }, async ({ printed }) => {
    await eventually(() =>
      assertMatch(
        printed(),
        /^Sign in with a Docket token, or one of that service; OBSERVER_TOKEN is an operator's$/m,
      )
    );
  });
});

Deno.test("main: a HOST that does not exist is named with the other wrong settings", async () => {
  const env = { HOST: "host.invalid", RATE_LIMIT: "many", DATA_DIR: "/nonexistent/docket" };
  assertMatch(await endOfProgram(env), /^RATE_LIMIT must be .*\nHOST must be .*\n$/);
});

Deno.test("main: imported, it exports fetch and does nothing else", async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", `const m = await import("./main.ts"); console.log(Object.keys(m.default));`],
    cwd: ROOT,
    env: { DATA_DIR: "/nonexistent/docket" },
  }).output();
  assertEquals([code, new TextDecoder().decode(stdout)], [0, '[ "fetch" ]\n']);
});
