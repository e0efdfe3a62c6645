import { assert, assertEquals } from "@std/assert";
import { faultyTokens, withEchoingUpstream } from "./echo.ts";
import { plantSecrets } from "./planted.ts";
import { runCommandHere, runProcess } from "./task.ts";

const COMMANDS = [
  ["filesets", "payroll", "--all"],
  ["history", "901", "--all", "--format", "ndjson"],
  ["judge", "901", "--debug"],
];

/** Rows are what is asked for. */
const belongingTo = ([name]: readonly string[]) => name === "history" ? ["address"] : [];

Deno.test("[e2e] secrets: the command line leaks none when a service repeats them", async () => {
  const planted = plantSecrets();
  const { watch, token } = planted;
  await withEchoingUpstream(planted, async ({ url, misbehave }) => {
    const start = (args: readonly string[], token: string) => {
      const env = { DOCKET_URL: url, DOCKET_TOKEN: token };
      return runProcess(planted, "cli/mod.ts", args, env, { belongs: belongingTo(args) });
    };
    await start(["history", "901", "--recipients"], token);
    misbehave();
    await Promise.all(
      faultyTokens(planted).map(async (token) => {
        const env = { DOCKET_URL: url, DOCKET_TOKEN: token };
        const ended = await Promise.all(
          COMMANDS.map((args) => runCommandHere(planted, args, env, belongingTo(args))),
        );
        assert(ended.some(({ code }) => code !== 0), token);
      }),
    );
    // As a process too, which prints what nobody caught.
    await Promise.all(COMMANDS.map((args, at) => start(args, faultyTokens(planted)[at])));
  });
  await runProcess(planted, "cli/mod.ts", ["filesets", `--token=${token}`], {});
  for (const address of [`http://user:${token}@127.0.0.1`, `http://127.0.0.1/?key=${token}`]) {
    const env = { DOCKET_URL: address, DOCKET_TOKEN: token };
    await runProcess(planted, "cli/mod.ts", ["filesets"], env);
  }
  assertEquals(watch.search(), { leaks: [], belonging: ["address"] });
});
