import { assertEquals, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../cli/version.ts";
import { createTestService, makeFileSets } from "../../lib/testing/mod.ts";
import { serveLocally } from "../processes.ts";

const MAIN = new URL("../../cli/mod.ts", import.meta.url).pathname;
const PERMISSIONS = ["--allow-net", "--allow-env", "--allow-read", "--allow-write"];

function serve(fileSets: number) {
  const service = createTestService({ fileSets: makeFileSets(fileSets), token: "real-token" });
  return serveLocally((request) => service.fetch(request));
}

function command(program: string, args: string[], DOCKET_URL: string): Deno.Command {
  return new Deno.Command(program, {
    args,
    env: { DOCKET_URL, DOCKET_TOKEN: "real-token" },
    stdout: "piped",
    stderr: "piped",
  });
}

Deno.test("docket: as a process it writes every row, and its code is the process's", async () => {
  await using server = serve(1234);
  const run = (...args: string[]) =>
    command(Deno.execPath(), ["run", ...PERMISSIONS, MAIN, ...args], server.origin).output();
  const good = await run("filesets", "--all", "--format", "csv", "--columns", "id");
  assertEquals([good.code, new TextDecoder().decode(good.stderr)], [0, ""]);
  assertEquals(new TextDecoder().decode(good.stdout).split("\r\n").length, 1236);
  const bad = await run("history", "5");
  assertEquals(bad.code, 1);
  assertStringIncludes(new TextDecoder().decode(bad.stderr), "status 404");
});

Deno.test("docket: as the documentation runs it, it prints no line that is not its own", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "docket", "--version"],
    cwd: new URL("../../", import.meta.url).pathname,
  }).output();
  const text = new TextDecoder();
  assertEquals([code, text.decode(stderr)], [0, ""]);
  assertEquals(text.decode(stdout), `${VERSION}\n`);
});
