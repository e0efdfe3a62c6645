import { assert, assertEquals } from "@std/assert";
import { sampleFileSets } from "../../../../server/store/sample/file_sets.ts";
import { withTasks } from "./task_context.ts";

/** Runs a task in a data folder, and kills it once a line matches; gives what it reported. */
async function runTask(
  name: "import" | "seed",
  args: readonly string[],
  { dataDir, killedAt }: { readonly dataDir: string; readonly killedAt?: RegExp },
): Promise<string> {
  const program = new URL("../../../../server/program/tasks.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", program, name, ...args],
    env: { DATABASE_URL: "", DATA_DIR: dataDir },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let text = "";
  for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (!killedAt?.test(text)) continue;
    child.kill("SIGKILL");
    break;
  }
  const { code, signal } = await child.status;
  assertEquals([code, signal], killedAt ? [137, "SIGKILL"] : [0, null]);
  return text;
}

Deno.test("importFile: when killed, keeps what it reported; the next adds the rest", () =>
  withTasks(async ({ dataDir, open }) => {
    const [rows, killedAt] = [20_000, 10_000];
    const file = `${dataDir}/rows.ndjson`;
    const lines = [...sampleFileSets(rows, 0)].map((row) => `${JSON.stringify(row)}\n`);
    await Deno.writeTextFile(file, lines.join(""));
    const at = new RegExp(`^${killedAt} read`, "m");
    const report = await runTask("import", [file], { dataDir, killedAt: at });
    const reported = Math.max(...report.matchAll(/^(\d+) read/gm).map((match) => Number(match[1])));
    const count = async () =>
      (await open(({ store }) => store.fileSets.search())).pageContext.total!;
    const total = await count();
    assert(total >= reported && reported >= killedAt, `${total} kept, ${reported} reported`);
    await runTask("import", [file], { dataDir });
    assertEquals(await count(), rows);
  }));

Deno.test("seed: when killed, the next task says so, and seeds all rows", () =>
  withTasks(async ({ dataDir, open }) => {
    const args = ["--file-sets", "20000", "--schedules", "1", "--runs", "10"];
    await runTask("seed", args, { dataDir, killedAt: /of 20000 file sets/ });
    const reported = await runTask("seed", args, { dataDir });
    assert(reported.includes("seed was ended before it was done"), reported);
    const page = await open(({ store }) => store.fileSets.search());
    assertEquals(page.pageContext.total, 20_000);
  }));
