import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCommand } from "../processes.ts";
import { withFolder } from "../with_folder.ts";

const ROOT = new URL("../../", import.meta.url);

Deno.test("readArguments: prints the help, and rejects options and further arguments", () =>
  withFolder(async (cwd) => {
    const run = async (...args: string[]) => {
      const config = new URL("tests/deno.json", ROOT).pathname;
      const path = new URL("tools/npm.ts", ROOT).pathname;
      return await runCommand(Deno.execPath(), {
        args: ["run", "-A", "--quiet", "--no-check", "--config", config, path, ...args],
        cwd,
      });
    };
    const helped = await run("--help");
    assertEquals([helped.code, helped.err], [0, ""]);
    assertStringIncludes(helped.out, "deno task npm");
    const unexpected = 'Unexpected argument: "--nonsense"; see --help\n';
    assertEquals(await run("--nonsense"), { code: 2, out: "", err: unexpected });
    assertEquals([...Deno.readDirSync(cwd)], []);
    await Deno.writeTextFile(`${cwd}/notes`, "mine");
    const full = ". is not empty: name a new folder\n";
    assertEquals(await run("."), { code: 2, out: "", err: full });
    assertEquals(await Deno.readTextFile(`${cwd}/notes`), "mine");
  }));
