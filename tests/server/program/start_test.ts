import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import denoConfig from "../../../deno.json" with { type: "json" };
import { withOutput } from "../../program.ts";
import { withFolder } from "../../with_folder.ts";

/** What it prints once it serves. */
const READY = /listens on (\S+).*for scripts/s;

/** Runs a task of deno.json as its command says, perhaps through another program. */
function launch(
  [name, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  [program, ...through]: readonly string[] = [Deno.execPath()],
) {
  const { command } = denoConfig.tasks[name as "start" | "token" | "forget"];
  return new Deno.Command(program, {
    args: [...through, ...command.split(" ").slice(1), ...args],
    cwd: new URL("../../../", import.meta.url),
    env: { DATABASE_URL: "", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function outcome(process: Deno.ChildProcess) {
  const { code, stdout, stderr } = await process.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

const inFolder = (test: (folder: string) => Promise<void>) =>
  withFolder(test, { prefix: "docket launched " });

Deno.test("token, forget: have the permissions that they need, and their exit codes", () =>
  inFolder(async (DATA_DIR) => {
    const run = (args: readonly string[]) => outcome(launch(args, { DATA_DIR }));
    const database = `Database: ${DATA_DIR}/docket.sqlite\n`;
    const made = await run(["token", "add", "build server"]);
    assertEquals([made.code, made.stderr], [0, database]);
    assertMatch(made.stdout, /^\S{20,}\n$/);
    const listed = await run(["token", "list"]);
    assertEquals(listed.stderr, database);
    assertMatch(listed.stdout, /^build server /m);
    const wrong = await run(["token", "lose"]);
    assertEquals([wrong.code, wrong.stdout], [2, ""]);
    const { code, stdout, stderr } = await run(["forget", "1"]);
    const nothing = "Nothing was found about 1: check the spelling\n";
    assertEquals([code, stderr], [0, database + nothing]);
    assertMatch(stdout, /^Erased from 0 runs /);
  }));

Deno.test("start: prints its help, and takes no arguments", async () => {
  const helped = await outcome(launch(["start", "--help"], {}));
  assertEquals([helped.code, helped.stderr], [0, ""]);
  assertMatch(helped.stdout, /^deno task start$/m);
  const { code, stdout, stderr } = await outcome(launch(["start", "--port", "9000"], {}));
  assertEquals([code, stdout, stderr], [2, "", 'Too many arguments: "--port"; see --help\n']);
});

Deno.test("start: stays while npx does, and ends when it is stopped", () =>
  inFolder(async (DATA_DIR) => {
    // Called as npm calls itself, with a shell in between.
    const npm = `${DATA_DIR}/npm`;
    await Deno.writeTextFile(npm, '"$@" & wait');
    const env = { DATA_DIR, PORT: "0", npm_command: "exec" };
    const process = launch(["start"], env, ["sh", npm, Deno.execPath()]);
    // The output ends when the last process that could write to it has.
    const printed = await withOutput(process, READY, async ([, origin]) => {
      // It answers for as long as it takes to look twice whether npm is there.
      for (const end = Date.now() + 2500; Date.now() < end;) {
        await (await fetch(`${origin}/healthz`)).body?.cancel();
      }
      process.kill("SIGTERM");
      await process.status;
    });
    const origin = READY.exec(printed)![1];
    await assertRejects(() => fetch(`${origin}/healthz`), TypeError);
  }));

Deno.test("deno.json: the only program that the server may run is ps", () => {
  const { server, task } = denoConfig.permissions;
  assertEquals(server, { ...task, run: ["ps"] });
});
