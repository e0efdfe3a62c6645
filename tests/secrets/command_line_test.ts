import { assertEquals } from "@std/assert";
import { mapBounded } from "../../server/bounded.ts";
import { faultyTokens, withEchoingUpstream } from "./echo.ts";
import { plantSecrets } from "./planted.ts";
import { runProcess } from "./task.ts";

const COMMANDS = [
  ["filesets", "--filter", "name:LIKE:x"],
  ["history", "901", "--all", "--format", "ndjson"],
  ["check", "901"],
];

Deno.test("[e2e] secrets: the command line keeps them before a service that repeats them", async () => {
  const planted = plantSecrets();
  const { watch, token } = planted;
  await withEchoingUpstream(planted, async ({ url, misbehave }) => {
    const run = (args: readonly string[], token: string, belongs: readonly string[] = []) => {
      const env = { DOCKET_URL: url, DOCKET_TOKEN: token };
      return runProcess(planted, "cli/mod.ts", args, env, { belongs });
    };
    await run(["history", "901", "--recipients"], token, ["address"]);
    misbehave();
    const calls = faultyTokens(planted).flatMap((token) =>
      COMMANDS.map((args) => ({ args, token }))
    );
    const ended = await mapBounded(calls, 6, ({ args, token }) => run(args, token));
    assertEquals(ended.filter(({ code }) => code === 0), []);
  });
  await runProcess(planted, "cli/mod.ts", ["filesets", `--token=${token}`], {});
  for (const address of [`http://user:${token}@127.0.0.1`, `http://127.0.0.1/?key=${token}`]) {
    const env = { DOCKET_URL: address, DOCKET_TOKEN: token };
    await runProcess(planted, "cli/mod.ts", ["filesets"], env);
  }
  assertEquals(watch.search(), { leaks: [], belonging: ["address"] });
});
