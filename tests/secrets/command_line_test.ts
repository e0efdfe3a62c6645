import { assert, assertEquals } from "@std/assert";
import { pooled } from "./pooled.ts";
import { faultyTokens, withEchoingUpstream } from "./echo.ts";
import { plantSecrets } from "./planted.ts";
import { runProcess } from "./task.ts";

const COMMANDS = [
  ["filesets", "--filter", "name:LIKE:x", "--all"],
  ["history", "901", "--all", "--format", "ndjson"],
  ["check", "901"],
];

Deno.test("[e2e] secrets: the command line keeps them before a service that repeats them", async () => {
  const planted = plantSecrets();
  const { watch, token } = planted;
  await withEchoingUpstream(planted, async ({ url, misbehave }) => {
    const run = (args: readonly string[], token: string) => {
      const env = { DOCKET_URL: url, DOCKET_TOKEN: token };
      // Rows are what is asked for.
      const belongs = args[0] === "history" ? ["address"] : [];
      return runProcess(planted, "cli/mod.ts", args, env, { belongs });
    };
    await run(["history", "901", "--recipients"], token);
    misbehave();
    await pooled(faultyTokens(planted), 3, async (token) => {
      const ended = await Promise.all(COMMANDS.map((args) => run(args, token)));
      assert(ended.some(({ code }) => code !== 0), token);
    });
  });
  await runProcess(planted, "cli/mod.ts", ["filesets", `--token=${token}`], {});
  for (const address of [`http://user:${token}@127.0.0.1`, `http://127.0.0.1/?key=${token}`]) {
    const env = { DOCKET_URL: address, DOCKET_TOKEN: token };
    await runProcess(planted, "cli/mod.ts", ["filesets"], env);
  }
  assertEquals(watch.search(), { leaks: [], belonging: ["address"] });
});
