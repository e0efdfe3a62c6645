import { assertEquals, assertStringIncludes } from "@std/assert";
import { failuresOf, outcomeOf, summary } from "../../tools/tests.ts";
import { runCommand } from "../processes.ts";
import { withFolder } from "../with_folder.ts";

const ROOT = new URL("../../", import.meta.url);

function run(command: string, args: string[], env: Record<string, string> = {}) {
  return runCommand(command, { args, cwd: ROOT, env });
}

/** Runs test files of these sources as a group is run. */
async function outcomeOfSources(...sources: string[]) {
  return await withFolder(async (folder) => {
    const paths = sources.map((_, at) => `${folder}/${at}_test.ts`);
    await Promise.all(paths.map((path, at) => Deno.writeTextFile(path, sources[at])));
    const args = ["test", "--no-config", "--no-check", "--quiet", "--reporter=dot", ...paths];
    const { code, out, err } = await run(Deno.execPath(), args, { NO_COLOR: "1" });
    return { ...outcomeOf(out + err, code), failures: failuresOf(out + err) };
  });
}

Deno.test("outcomeOf: counts what passed, failed and was ignored, and lists each error", async () => {
  const { failures, ...outcome } = await outcomeOfSources(
    `Deno.test("passes", () => {});
     Deno.test("fails", () => { throw new Error("planted"); });
     Deno.test.ignore("ignored", () => {});`,
  );
  assertEquals(outcome, { passed: 1, failed: 1, ignored: 1 });
  assertEquals(failures.startsWith("ERRORS"), true, failures);
  assertStringIncludes(failures, "planted");
});

Deno.test("outcomeOf: a file that does not load, or throws outside a test, has failed", async () => {
  const missing = await outcomeOfSources(`import "./nowhere.ts";`);
  assertEquals([missing.passed, missing.failed], [0, 1]);
  assertStringIncludes(missing.failures, "Module not found");
  const late = await outcomeOfSources(
    `setTimeout(() => { throw new Error("late"); });
     Deno.test("waits", () => new Promise((resolve) => setTimeout(resolve, 50)));`,
  );
  assertEquals(late.failed, 1);
  assertStringIncludes(late.failures, "late");
});

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
    const gate = async (printed: string, code: number) => {
      for (const name of ["npm", "nginx", "openssl", "promtool", "amtool"]) {
        await Deno.writeTextFile(`${bin}/${name}`, "#!/bin/sh\n", { mode: 0o755 });
      }
      const deno = `#!/bin/sh\nprintf '${printed}'\nexit ${code}\n`;
      await Deno.writeTextFile(`${bin}/deno`, deno, { mode: 0o755 });
      const result = await run(".ci/run", [], { PATH: `${bin}:${Deno.env.get("PATH")}` });
      return [result.code, result.out.trimEnd().split("\n").at(-1)];
    };
    const group = "1 of 2 groups: lib, 3 passed (1s)\\n";
    const error = "FAILED | 9 passed | 9 failed (1s)\\n";
    assertEquals(await gate(`${group}${error}${line}\\n`, 1), [1, "4 passed, 2 failed"]);
    assertEquals(await gate(`${group}ok | 6 passed | 0 failed (1s)\\n`, 0), [
      0,
      "6 passed, 0 failed",
    ]);
    assertEquals(await gate("error: lint\\n", 1), [1, "0 passed, 1 failed"]);
  });
});
