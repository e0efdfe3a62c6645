import { assert, assertEquals } from "@std/assert";
import type { SearchBody } from "../../../../lib/types.ts";
import { sampleFileSets } from "../../../../server/store/sample/file_sets.ts";
import { inStore } from "./task_context.ts";
import { withFolder } from "../../../with_folder.ts";

/** Starts a task; what it reports can be read. */
function startTask(
  name: "import" | "seed",
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Deno.ChildProcess {
  const program =
    new URL(`../../../../server/store/tasks/${name}_task.ts`, import.meta.url).pathname;
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", program, ...args],
    env: { DATABASE_URL: "", ...env },
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

/** What the task reports, until a line matches or it ends. */
async function reportUntil(child: Deno.ChildProcess, pattern: RegExp): Promise<string> {
  let text = "";
  for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (pattern.test(text)) break;
  }
  return text;
}

Deno.test("importFile: when killed, keeps what it reported; the next adds the rest", async () => {
  const [rows, killedAt] = [20_000, 10_000];
  await withFolder(async (dataDir) => {
    const env = { DATA_DIR: dataDir };
    const file = `${dataDir}/rows.ndjson`;
    const lines = [...sampleFileSets(rows, 0)].map((row) => `${JSON.stringify(row)}\n`);
    await Deno.writeTextFile(file, lines.join(""));

    const child = startTask("import", [file], env);
    const report = await reportUntil(child, new RegExp(`^${killedAt} read`, "m"));
    child.kill("SIGKILL");
    assertEquals((await child.status).signal, "SIGKILL");
    const reported = Math.max(...report.matchAll(/^(\d+) read/gm).map((match) => Number(match[1])));

    const count = (body: SearchBody = {}) =>
      inStore(dataDir, async (store) => (await store.fileSets.search(body)).pageContext.total!);
    const total = await count();
    assert(total >= reported && reported >= killedAt, `${total} kept, ${reported} reported`);

    const again = startTask("import", [file], env);
    await reportUntil(again, /never/);
    assertEquals((await again.status).code, 0);

    const search = { filters: [{ field: "name", operator: "LIKE", value: ["lyon"] }] };
    const named = lines.filter((line) => /"name":"[^"]*Lyon/.test(line));
    assertEquals([await count(), await count(search)], [rows, named.length]);
  });
});

Deno.test("seed: when killed, the next task says so, and seeds all rows", async () => {
  await withFolder(async (dataDir) => {
    const args = ["--file-sets", "20000", "--schedules", "1", "--runs", "10"];
    const child = startTask("seed", args, { DATA_DIR: dataDir });
    await reportUntil(child, /of 20000 file sets/);
    child.kill("SIGKILL");
    assertEquals((await child.status).signal, "SIGKILL");

    const again = startTask("seed", args, { DATA_DIR: dataDir });
    const reported = await reportUntil(again, /never/);
    assertEquals((await again.status).code, 0);
    assert(reported.includes("seed was ended before it was done"), reported);

    const page = await inStore(dataDir, (store) => store.fileSets.search());
    assertEquals(page.pageContext.total, 20_000);
  });
});
