/** The program as a process: how it starts, and how it ends. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { headerFaults } from "../answer_headers.ts";
import { searchRequest, signInByForm, TOKEN } from "../app.ts";
import { eventually } from "../eventually.ts";
import { runCommand } from "../processes.ts";
import { type Program, withProgram } from "../program.ts";
import { withReceiver } from "../server/observer/receiver.ts";
import { server } from "../server/store/postgres/shared.ts";
import { layWire } from "../server/store/database/wire.ts";
import { inDatabase } from "../server/store/tasks/task_context.ts";
import { afterFirstPage, withUpstream } from "../upstream.ts";
import { withFolder } from "../with_folder.ts";

const ROOT = new URL("../..", import.meta.url);

Deno.test("main: imported, it exports fetch alone, which opens the service again after a 503", () =>
  withFolder(async (folder) => {
    const file = `${folder}/file`;
    await Deno.writeTextFile(file, "");
    const script = `const { default: main } = await import("./main.ts");
      const ask = async (path) =>
        (await main.fetch(new Request("http://localhost:8000" + path))).status;
      const before = [await ask("/filesets"), await ask("/readyz"), await ask("/healthz")];
      Deno.removeSync(${JSON.stringify(file)});
      let after = 503;
      // It opens with the first request, however long that takes.
      while (after === 503) after = await ask("/sign-in");
      console.log(JSON.stringify([Object.keys(main), before, after]));
      Deno.exit();`;
    const { out, err } = await runCommand(Deno.execPath(), {
      args: ["eval", script],
      cwd: ROOT,
      env: { DATA_DIR: file, SERVICE_TOKEN: TOKEN },
    });
    assertMatch(err, /The data folder .* can't be created or written/);
    assertEquals(JSON.parse(out), [["fetch"], [503, 503, 200], 200]);
  }));

Deno.test("main: what can't be used ends it, with every fault and what to set", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const PORT = `${taken.addr.port}`;
  const KEY = "k".repeat(32);
  const url = new URL(await server.createDatabase());
  const DATABASE_URL = Object.assign(url, { password: "wrong-of-the-test" }).href;
  const cases: [Record<string, string>, RegExp][] = [
    [
      // A folder under a file can't be made by anybody, the superuser included.
      { DATA_DIR: "/dev/null/data" },
      /do without one: SESSION_KEY, RECORDS_KEY, SERVICE_TOKEN, DATABASE_URL .*openssl/,
    ],
    [
      { DATA_DIR: "/dev/null/data", SERVICE_BASE_URL: "http://127.0.0.1:1", SESSION_KEY: KEY },
      /do without one: RECORDS_KEY, DATABASE_URL \(/,
    ],
    [{ HOST: "host.invalid", RATE_LIMIT: "many" }, /^RATE_LIMIT must be .*\nHOST must be .*\n$/],
    [
      { PORT, SERVICE_TOKEN: TOKEN, SESSION_KEY: KEY, RECORDS_KEY: KEY },
      new RegExp(`^Port ${PORT} is in use by another program: set PORT to another one, .*\n$`),
    ],
    [
      { DATABASE_URL, SERVICE_TOKEN: TOKEN },
      /^The database denies .* \(28P01\): correct .* password in DATABASE_URL, .*pg_hba.*\n$/,
    ],
    [
      { DATABASE_URL, SERVICE_BASE_URL: "http://127.0.0.1:1", OBSERVER_TOKEN: "observer" },
      /^The database denies .* \(28P01\)/,
    ],
  ];
  for (const [settings, words] of cases) {
    await withFolder(async (DATA_DIR) => {
      const env = { PORT: "0", DATA_DIR, ...settings };
      const args = ["run", "-A", "main.ts"];
      const { code, out, err } = await runCommand(Deno.execPath(), { args, cwd: ROOT, env });
      assertEquals([code, out], [1, ""]);
      assertMatch(err, words);
    });
  }
});

Deno.test("[e2e] main: starts and ends while PostgreSQL is away, and serves once it is there", async () => {
  await using wire = layWire(await server.createSampleDatabase());
  const { url } = wire;
  await wire.cut();
  await withProgram({ DATABASE_URL: url }, async ({ origin, printed, end }) => {
    assertMatch(printed(), /Docket tries again.*The database cannot be reached \(ECONNREFUSED\)/);
    await eventually(() => assertStringIncludes(printed(), "The observer waits for the database"));
    for (const request of [new Request(`${origin}/filesets`), searchRequest(origin)]) {
      const answer = await fetch(request);
      assertStringIncludes(await answer.text(), "The database cannot be reached");
      assertEquals([answer.status, answer.headers.get("retry-after")], [503, "5"]);
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

/** Starts a search whose body does not end until `finish`. */
async function startUpload({ origin }: Program) {
  const { readable, writable } = new TextEncoderStream();
  const body = writable.getWriter();
  const answer = fetch(searchRequest(origin, "?limit=1", readable));
  // Some tests end the program before.
  answer.catch(() => {});
  await body.write("{");
  // It is in flight once the server answers another request that came after it.
  await (await fetch(`${origin}/icon.svg`)).body?.cancel();
  const finish = async () => {
    await body.write("}");
    await body.close();
  };
  return { answer, finish };
}

Deno.test("[e2e] main: interrupts what hangs, and a file that was cut off does not look whole", () =>
  withUpstream((upstream) =>
    withProgram({ SERVICE_BASE_URL: upstream.baseUrl }, async ({ origin, end, printed }) => {
      const send = (path: string, init: RequestInit) => fetch(origin + path, init);
      const { cookie } = await signInByForm(send);
      const requested = Promise.withResolvers<void>();
      const hang = () => {
        requested.resolve();
        return new Promise<Response>(() => {});
      };
      upstream.behave(afterFirstPage(upstream, hang));
      const exporting = await send("/filesets/export?format=csv", { headers: { cookie } });
      await requested.promise;
      // As from a terminal that closes.
      assertEquals(await end("SIGHUP"), 0);
      assertStringIncludes(printed(), "Requests were interrupted");
      const whole = await exporting.text().then(() => true, () => false);
      assertEquals([exporting.status, whole], [200, false]);
    })
  ));

Deno.test("[e2e] main: a second signal ends it at once", () =>
  withProgram({}, async (program) => {
    await startUpload(program);
    program.process.kill("SIGTERM");
    // Had it waited for the upload until its time was over, the code would be 0.
    assertEquals(await program.end("SIGINT"), 1);
  }));

Deno.test("[e2e] main: ending, it answers what is in flight and health checks, and nothing new", () =>
  withProgram({}, async (program) => {
    const ask = async (path: string) => {
      const response = await fetch(program.origin + path);
      return { response, text: await response.text() };
    };
    const { answer, finish } = await startUpload(program);
    const ended = program.end();
    let late: Awaited<ReturnType<typeof ask>>;
    do {
      late = await ask("/api/openapi.json");
    } while (late.response.status === 200);
    const { status, headers } = late.response;
    const named = ["retry-after", "content-type", "connection"].map((name) => headers.get(name));
    assertEquals([status, ...named], [503, "5", "application/problem+json", "close"]);
    assertEquals(headerFaults(late.response), []);
    assertEquals((await ask("/filesets")).text, "Docket is stopping");
    assertEquals((await ask("/healthz")).response.status, 200);
    await finish();
    const response = await answer;
    assertEquals([response.status, (await response.json()).pageContext.total], [200, 5000]);
    assertEquals(await ended, 0);
  }));

const SECRET = `whsec_${btoa("s".repeat(32))}`;

Deno.test("[e2e] main: watches, and sends a signed message once, and heartbeats", () =>
  withReceiver(() => new Response(), async (origin, received) => {
    const env = {
      OBSERVE_EVERY: "1s",
      WEBHOOK_URL: `${origin}/hook`,
      WEBHOOK_SECRET: SECRET,
      HEARTBEAT_URL: `${origin}/beat`,
      PUBLIC_ORIGIN: "https://docket.example.com",
    };
    const sentTo = (path: string) => received.filter((one) => one.path === path);
    await withProgram(env, async ({ dataDir, end, printed }) => {
      // No link leads to another origin.
      assertStringIncludes(printed(), "The developer token for signing in and for scripts is");
      // Schedule 102 of the sample data fails.
      await inDatabase(
        { dataDir },
        ({ records: { watches } }) => watches.add([102], Date.now(), { name: "Open claims" }),
      );
      await eventually(() => assert(sentTo("/hook").length > 0 && sentTo("/beat").length > 0));
      assertEquals(await end(), 0);
    });
    const [hook, ...others] = sentTo("/hook");
    assertEquals(others, []);
    const event = new Webhook(SECRET).verify(hook.body, Object.fromEntries(hook.headers)) as {
      type: string;
      data: { incident: { code: string }; schedule: { name: string }; url: string };
    };
    assertEquals([event.type, event.data.incident.code], ["incident.opened", "failing"]);
    assertEquals(event.data.schedule.name, "Open claims");
    assertStringIncludes(event.data.url, "https://docket.example.com/incidents/102-failing-");
  }));

const OPEN_FILES = 120;
/** None that a system gives to others' connections, which could take it before it listens again. */
const PORT = `${20_000 + Math.floor(Math.random() * 12_000)}`;

/** Connects until it is refused, or twice as often as the program has files. Half begin a request. */
async function connectAll(hostname: string, port: number): Promise<Deno.Conn[]> {
  const unfinished = new TextEncoder().encode(
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Never: ",
  );
  const connections: Deno.Conn[] = [];
  try {
    while (connections.length < 2 * OPEN_FILES) {
      connections.push(await Deno.connect({ hostname, port }));
      if (connections.length % 2 === 0) await connections.at(-1)!.write(unfinished);
    }
  } catch {
    // Refused or reset.
  }
  return connections;
}

Deno.test("[e2e] the program: outlives more connections than it may have files, and answers again", () =>
  withProgram({ LOG_FORMAT: "text", PORT }, async ({ origin, printed }) => {
    const { hostname, port } = new URL(origin);
    const connections = await connectAll(hostname, Number(port));
    try {
      // Nobody closes them but the program.
      await eventually(async () => {
        const response = await fetch(`${origin}/healthz`);
        await response.body?.cancel();
        assertEquals(response.status, 200);
      });
      assertMatch(printed(), /Can't accept connections; closing idle ones.*open files/);
    } finally {
      for (const connection of connections) connection.close();
    }
    assert(connections.length > OPEN_FILES / 4, String(connections.length));
  }, { openFiles: OPEN_FILES }));
