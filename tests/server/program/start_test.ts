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

Deno.test("start, token, forget: have the permissions that they need, help, and their exit codes", () =>
  inFolder(async (DATA_DIR) => {
    const database = `Database: ${DATA_DIR}/docket.sqlite\n`;
    const nothing = "Nothing was found about 1: check the spelling\n";
    const tooMany = 'Too many arguments: "--port"; see --help\n';
    /** The arguments, the exit code, and what is printed on standard error and output. */
    const rows = [
      ["token add build", 0, database, /^\S{20,}\n$/],
      ["token list", 0, database, /^build /m],
      ["token lose", 2, null, /^$/],
      ["forget 1", 0, database + nothing, /^Erased from 0 runs /],
      ["start --help", 0, "", /^deno task start$/m],
      ["start --port 9000", 2, tooMany, /^$/],
    ] as const;
    for (const [line, exit, reported, printed] of rows) {
      const { code, out, err } = await runCommand(...commandOf(line.split(" "), { DATA_DIR }));
      assertEquals([code, err], [exit, reported ?? err], line);
      assertMatch(out, printed);
    }
    const { server, task } = denoConfig.permissions;
    assertEquals(server, { ...task, run: ["ps"] }, "the only program that it may run");
  }));

Deno.test("start: stays while npx does, and ends when it is stopped", () =>
  inFolder(async (DATA_DIR) => {
    // Called as npm calls itself, with a shell in between.
    const npm = `${DATA_DIR}/npm`;
    await Deno.writeTextFile(npm, '"$@" & wait');
    const env = { DATA_DIR, PORT: "0", npm_command: "exec" };
    const shell = ["sh", "-c", '"$0" "$@" & wait', Deno.execPath()];
    const command = commandOf(["start"], env, ["sh", npm, ...shell]);
    await withProcess(command, READY, async ({ end }, [, origin]) => {
      // It answers for as long as it takes to look twice whether npm is there.
      for (const last = Date.now() + 2500; Date.now() < last;) {
        await (await fetch(`${origin}/healthz`)).body?.cancel();
      }
      await end();
      await assertRejects(() => fetch(`${origin}/healthz`), TypeError);
    });
  }));
