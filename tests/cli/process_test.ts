import { assertEquals, assertStringIncludes } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import { createTestService, makeFileSets } from "../../lib/testing/mod.ts";
import { runCommand, serveLocally } from "../processes.ts";

const PERMISSIONS = ["--allow-net", "--allow-env", "--allow-read", "--allow-write"];

/** Runs Deno with these arguments. */
const run = (args: string[], env: Record<string, string> = {}) =>
  runCommand(Deno.execPath(), { args, env, cwd: new URL("../../", import.meta.url).pathname });

Deno.test("docket: as a process it writes every row, and its code is the process's", async () => {
  const service = createTestService({ fileSets: makeFileSets(1234), token: "real-token" });
  await using server = serveLocally((request) => service.fetch(request));
  const env = { DOCKET_URL: server.origin, DOCKET_TOKEN: "real-token" };
  const docket = (words: string) =>
    run(["run", ...PERMISSIONS, "cli/mod.ts", ...words.split(" ")], env);
  const good = await docket("filesets --all --format csv --columns id");
  assertEquals([good.code, good.err, good.out.split("\r\n").length], [0, "", 1236]);
  const bad = await docket("history 5");
  assertEquals(bad.code, 1);
  assertStringIncludes(bad.err, "status 404");
});

Deno.test("docket: as the documentation runs it, it prints no line that is not its own", async () => {
  const version = await run(["task", "--quiet", "docket", "--version"]);
  assertEquals(version, { code: 0, out: `${denoConfig.version}\n`, err: "" });
});
