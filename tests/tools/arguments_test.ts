import { assertEquals } from "@std/assert";
import { runCommand } from "../processes.ts";
import { withFolder } from "../with_folder.ts";

const [CONFIG, TOOL] = ["tests/deno.json", "tools/npm.ts"]
  .map((path) => new URL(`../../${path}`, import.meta.url).pathname);

Deno.test("npm: rejects unknown options, and leaves a folder alone that is not empty", () =>
  withFolder(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/notes`, "mine");
    const refused = {
      "--nonsense": 'Unexpected argument: "--nonsense"; see --help\n',
      ".": ". is not empty: name a new folder\n",
    };
    for (const [word, err] of Object.entries(refused)) {
      const args = ["run", "-A", "--quiet", "--no-check", "--config", CONFIG, TOOL, word];
      assertEquals(await runCommand(Deno.execPath(), { args, cwd }), { code: 2, out: "", err });
    }
    assertEquals([...Deno.readDirSync(cwd)].map(({ name }) => name), ["notes"]);
    assertEquals(await Deno.readTextFile(`${cwd}/notes`), "mine");
  }));
