import { assertEquals, assertMatch } from "@std/assert";
import { TOKEN } from "../app.ts";
import { runCommand } from "../processes.ts";
import { server } from "../server/store/postgres/shared.ts";
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
    [{ HOST: "host.invalid", RATE_LIMIT: "many" }, /^RATE_LIMIT must be .*\nHOST must be .*\n$/],
    [
      { PORT, SERVICE_TOKEN: TOKEN, SESSION_KEY: KEY, RECORDS_KEY: KEY },
      new RegExp(`^Port ${PORT} is in use by another program: set PORT to another one, .*\n$`),
    ],
    [
      { DATABASE_URL, SERVICE_TOKEN: TOKEN },
      /^The database denies .* \(28P01\): correct .* password in DATABASE_URL, .*pg_hba.*\n$/,
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
