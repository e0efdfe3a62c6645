/** `docket evidence filesets` of 1,000,000 rows, compared with exporting its lists as CSV as often. */
import { TOKEN } from "../tests/app.ts";
import { withProgram } from "../tests/program.ts";
import { atMost, type Bench, seconds, withFolder } from "./bench.ts";

const ROWS = 1_000_000;
const TIMES = 2;
const MEGABYTES = 150;
/** One condition: all rows, those that match and those that don't, each twice. */
const QUERIES = [[], ["owner:Finance"], ["-owner:Finance"]];

const bench: Bench = (share) =>
  withFolder(async (folder) => {
    const rows = Math.ceil(ROWS * share);
    await deno({ DATA_DIR: folder, DATABASE_URL: "" }, [
      ...["server/store/tasks/seed_task.ts", "--file-sets", String(rows)],
      ...["--schedules", "1", "--runs", "1"],
    ]);
    const figures: Awaited<ReturnType<Bench>>[number][] = [];
    await withProgram({ DATA_DIR: folder }, async ({ origin }) => {
      const docket = (...words: string[]) =>
        deno({ DOCKET_URL: origin, DOCKET_TOKEN: TOKEN }, ["cli/mod.ts", ...words]);
      const idle = await docket("--version");
      let csv = 0;
      for (const query of [...QUERIES, ...QUERIES]) {
        const words = ["--all", "--format", "csv"];
        csv += (await docket("filesets", ...query, ...words)).seconds;
      }
      const pack = await docket("evidence", "filesets", ...QUERIES[1], "--out", `${folder}/a.zip`);
      const what = `of ${rows} file sets, one condition`;
      figures.push(
        atMost(
          `pack ${what}, against CSV exports of its lists as often`,
          pack.seconds / csv,
          TIMES,
          (times) => `${times.toFixed(2)} times`,
          `${seconds(pack.seconds)} and ${seconds(csv)}`,
        ),
        atMost(
          `memory for a pack ${what}, over that of \`docket --version\``,
          pack.megabytes - idle.megabytes,
          MEGABYTES,
          (megabytes) => `${megabytes.toFixed(0)} MB`,
        ),
      );
    });
    return figures;
  });

export default bench;

/** Runs a program to its end: how long it took, and the most memory that it had. */
async function deno(env: Record<string, string>, words: readonly string[]) {
  const started = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    // As the task `docket` has it: garbage is collected before it is much.
    args: ["run", "-A", "--v8-flags=--max-semi-space-size=4", ...words],
    env,
    stdout: "null",
    stderr: "null",
  }).spawn();
  let megabytes = 0;
  // It may just have ended.
  const timer = setInterval(async () => {
    const status = await Deno.readTextFile(`/proc/${child.pid}/status`).catch(() => "");
    megabytes = Math.max(megabytes, Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1000);
  }, 20);
  const { success } = await child.status;
  clearInterval(timer);
  if (!success) throw new Error(`${words.join(" ")} failed`);
  return { seconds: (performance.now() - started) / 1000, megabytes };
}
