import { assertEquals, assertStringIncludes } from "@std/assert";
import { withFolder } from "../with_folder.ts";

const ROOT = new URL("../../", import.meta.url);

Deno.test("readArguments: prints the help, and rejects options and further arguments", () =>
  withFolder(async (cwd) => {
    const run = async (tool: string, ...args: string[]) => {
      const config = new URL("tests/deno.json", ROOT).pathname;
      const path = new URL(`tools/${tool}.ts`, ROOT).pathname;
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--quiet", "--no-check", "--config", config, path, ...args],
        cwd,
      }).output();
      const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      return { code, out, err };
    };
    for (const tool of ["npm", "dependencies"]) {
      const helped = await run(tool, "--help");
      assertEquals([helped.code, helped.err], [0, ""]);
      assertStringIncludes(helped.out, `deno task ${tool}`);
      assertEquals(await run(tool, "--nonsense"), {
        code: 2,
        out: "",
        err: 'Unexpected argument: "--nonsense"; see --help\n',
      });
    }
    assertEquals([...Deno.readDirSync(cwd)], []);
    await Deno.writeTextFile(`${cwd}/notes`, "mine");
    assertEquals(await run("npm", "."), {
      code: 2,
      out: "",
      err: ". is not empty: name a new folder\n",
    });
    assertEquals(await Deno.readTextFile(`${cwd}/notes`), "mine");
  }));
