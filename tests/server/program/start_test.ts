import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import denoConfig from "../../../deno.json" with { type: "json" };
import { runCommand } from "../../processes.ts";
import { withProcess } from "../../program.ts";
import { withFolder } from "../../with_folder.ts";

/** What it prints once it serves. */
const READY = /listens on (\S+).*for scripts/s;

/** A task of deno.json as its command says, perhaps through another program. */
function commandOf(
  [name, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  [program, ...through]: readonly string[] = [Deno.execPath()],
): [string, Deno.CommandOptions] {
  const { command } = denoConfig.tasks[name as "start" | "token" | "forget"];
  return [program, {
    args: [...through, ...command.split(" ").slice(1), ...args],
    cwd: new URL("../../../", import.meta.url),
    env: { DATABASE_URL: "", ...env },
  }];
}

const inFolder = (test: (folder: string) => Promise<void>) =>
  withFolder(test, { prefix: "docket launched " });

Deno.test("token, forget: have the permissions that they need, and their exit codes", () =>
  inFolder(async (DATA_DIR) => {
    const run = (args: readonly string[]) => runCommand(...commandOf(args, { DATA_DIR }));
    const database = `Database: ${DATA_DIR}/docket.sqlite\n`;
    const made = await run(["token", "add", "build server"]);
    assertEquals([made.code, made.err], [0, database]);
    assertMatch(made.out, /^\S{20,}\n$/);
    const listed = await run(["token", "list"]);
    assertEquals(listed.err, database);
    assertMatch(listed.out, /^build server /m);
    const wrong = await run(["token", "lose"]);
    assertEquals([wrong.code, wrong.out], [2, ""]);
    const { code, out, err } = await run(["forget", "1"]);
    const nothing = "Nothing was found about 1: check the spelling\n";
    assertEquals([code, err], [0, database + nothing]);
    assertMatch(out, /^Erased from 0 runs /);
  }));

Deno.test("start: prints its help, and takes no arguments", async () => {
  const helped = await runCommand(...commandOf(["start", "--help"], {}));
  assertEquals([helped.code, helped.err], [0, ""]);
  assertMatch(helped.out, /^deno task start$/m);
  const { code, out, err } = await runCommand(...commandOf(["start", "--port", "9000"], {}));
  assertEquals([code, out, err], [2, "", 'Too many arguments: "--port"; see --help\n']);
});

Deno.test("start: stays while npx does, and ends when it is stopped", () =>
  inFolder(async (DATA_DIR) => {
    // Called as npm calls itself, with a shell in between.
    const npm = `${DATA_DIR}/npm`;
    await Deno.writeTextFile(npm, '"$@" & wait');
    const env = { DATA_DIR, PORT: "0", npm_command: "exec" };
    const command = commandOf(["start"], env, ["sh", npm, Deno.execPath()]);
    await withProcess(command, READY, async ({ end }, [, origin]) => {
      // It answers for as long as it takes to look twice whether npm is there.
      for (const end = Date.now() + 2500; Date.now() < end;) {
        await (await fetch(`${origin}/healthz`)).body?.cancel();
      }
      await end();
      await assertRejects(() => fetch(`${origin}/healthz`), TypeError);
    });
  }));

Deno.test("deno.json: the only program that the server may run is ps", () => {
  const { server, task } = denoConfig.permissions;
  assertEquals(server, { ...task, run: ["ps"] });
});
