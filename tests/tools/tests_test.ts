import { assertEquals, assertMatch } from "@std/assert";
import { failuresOf, outcomeOf, summary } from "../../tools/tests.ts";
import { runCommand } from "../processes.ts";
import { withFolder } from "../with_folder.ts";

const ROOT = new URL("../../", import.meta.url);

function run(command: string, args: string[], env: Record<string, string> = {}) {
  return runCommand(command, { args, cwd: ROOT, env });
}

Deno.test("outcomeOf: counts tests as Deno does, and lists each error", () =>
  withFolder(async (folder) => {
    const path = `${folder}/a_test.ts`;
    const source = `Deno.test("passes", () => {});
      Deno.test("fails", () => { throw new Error("planted"); });
      Deno.test.ignore("ignored", () => {});`;
    await Deno.writeTextFile(path, source);
    const args = ["test", "--no-config", "--no-check", "--quiet", "--reporter=dot", path];
    const { code, out, err } = await run(Deno.execPath(), args, { NO_COLOR: "1" });
    assertEquals(outcomeOf(out + err, code), { passed: 1, failed: 1, ignored: 1 });
    assertMatch(failuresOf(out + err), /^ERRORS.*planted/s);
  }));

Deno.test("outcomeOf: a process that ended without a count has failed, whatever its code", () => {
  for (const code of [0, 1, 137]) {
    assertEquals(outcomeOf(".\n.\nKilled\n", code), { passed: 0, failed: 1, ignored: 0 });
  }
  assertEquals(outcomeOf("ok | 3 passed | 0 failed (1s)\n", 1).failed, 1);
});

Deno.test("summary: the count of all groups, which .ci/run reads", async () => {
  const lib = { passed: 3, failed: 0, ignored: 0 };
  assertEquals(summary([lib, lib], 61_400), "ok | 6 passed | 0 failed (61s)");
  const line = summary([lib, { passed: 1, failed: 2, ignored: 4 }], 900);
  assertEquals(line, "FAILED | 4 passed | 2 failed | 4 ignored (1s)");

  // The gate itself, with a deno that only prints.
  await withFolder(async (bin) => {
    const program = (name: string, script: string) =>
      Deno.writeTextFile(`${bin}/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    for (const name of ["npm", "nginx", "openssl", "promtool", "amtool"]) await program(name, "");
    const gate = async (printed: string, code: number) => {
      await program("deno", `printf '${printed}'\nexit ${code}`);
      const result = await run(".ci/run", [], { PATH: `${bin}:${Deno.env.get("PATH")}` });
      return [result.code, result.out.trimEnd().split("\n").at(-1)];
    };
    const group = "1 of 2 groups: lib, 3 passed (1s)\\n";
    const error = "FAILED | 9 passed | 9 failed (1s)\\n";
    assertEquals(await gate(`${group}${error}${line}\\n`, 1), [1, "4 passed, 2 failed"]);
    const good = `${group}ok | 6 passed | 0 failed (1s)\\n`;
    assertEquals(await gate(good, 0), [0, "6 passed, 0 failed"]);
    assertEquals(await gate("error: lint\\n", 1), [1, "0 passed, 1 failed"]);
  });
});
