import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCommand } from "../processes.ts";
import { withFolder } from "../with_folder.ts";

const [CONFIG, TOOL] = ["tests/deno.json", "tools/npm.ts"]
  .map((path) => new URL(`../../${path}`, import.meta.url).pathname);

Deno.test("readArguments: prints the help, and rejects options and further arguments", () =>
  withFolder(async (cwd) => {
    const run = (...args: string[]) =>
      runCommand(Deno.execPath(), {
        args: ["run", "-A", "--quiet", "--no-check", "--config", CONFIG, TOOL, ...args],
        cwd,
      });
    const helped = await run("--help");
    assertEquals([helped.code, helped.err], [0, ""]);
    assertStringIncludes(helped.out, "deno task npm");
    const unexpected = 'Unexpected argument: "--nonsense"; see --help\n';
    assertEquals(await run("--nonsense"), { code: 2, out: "", err: unexpected });
    await Deno.writeTextFile(`${cwd}/notes`, "mine");
    const full = ". is not empty: name a new folder\n";
    assertEquals(await run("."), { code: 2, out: "", err: full });
    assertEquals([...Deno.readDirSync(cwd)].map(({ name }) => name), ["notes"]);
    assertEquals(await Deno.readTextFile(`${cwd}/notes`), "mine");
  }));
