import { assert, assertEquals } from "@std/assert";
import { processIo } from "../../cli/io.ts";
import { run } from "../../cli/run.ts";
import { faultyTokens, withEchoingUpstream } from "./echo.ts";
import { plantSecrets } from "./planted.ts";

const COMMANDS = [
  ["filesets", "payroll", "--all"],
  ["history", "901", "--all", "--format", "ndjson"],
  ["judge", "901", "--debug"],
];

const io = processIo();

Deno.test("secrets: the command line leaks none when a service repeats them", async () => {
  const planted = plantSecrets();
  const { watch, token } = planted;
  const docket = async (args: readonly string[], url: string, token: string) => {
    const env: Record<string, string> = { DOCKET_URL: url, DOCKET_TOKEN: token };
    // The rows of a history are what is asked for.
    const belongs = args[0] === "history" ? ["address"] : [];
    const place = args.join(" ");
    const saw = (text: string, names: readonly string[] = []) =>
      Promise.resolve(watch.saw(place, text, names));
    return await run(args, {
      ...io,
      env: (name) => env[name],
      out: { isTerminal: false, write: (text) => saw(text, belongs) },
      err: { isTerminal: false, write: (text) => saw(text) },
    });
  };
  await withEchoingUpstream(planted, async ({ url, misbehave }) => {
    await docket(["history", "901", "--recipients"], url, token);
    misbehave();
    await Promise.all(
      faultyTokens(planted).map(async (token) => {
        const codes = await Promise.all(COMMANDS.map((args) => docket(args, url, token)));
        assert(codes.some((code) => code !== 0), token);
      }),
    );
  });
  await docket(["filesets", `--token=${token}`], "http://127.0.0.1", token);
  for (const url of [`http://user:${token}@127.0.0.1`, `http://127.0.0.1/?key=${token}`]) {
    assertEquals(await docket(["filesets"], url, token), 2);
  }
  assertEquals(watch.search(), { leaks: [], belonging: ["address"] });
});
