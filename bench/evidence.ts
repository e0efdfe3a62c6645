/** `docket evidence filesets` of 100,000 rows, compared with CSV exports of the same list. */
import { withFolder } from "../tests/with_folder.ts";
import { atMost, type Bench, seconds } from "./bench.ts";

const ROWS = 100_000;
const TIMES = 1;
const MEGABYTES = 150;
const ANSWER_MS = 5;
/** Some of the file sets. */
const QUERY = "-owner:Nobody";

const bench: Bench = (share) =>
  withFolder(async (folder) => {
    const rows = Math.ceil(ROWS * share);
    const service = serveFileSets(rows);
    const { port } = service.addr as Deno.NetAddr;
    const docket = (...words: string[]) =>
      deno({ DOCKET_URL: `http://127.0.0.1:${port}`, DOCKET_TOKEN: "secret" }, [
        "cli/mod.ts",
        ...words,
      ]);
    const idle = await docket("--version");
    const csv = await docket("filesets", QUERY, "--all", "--format", "csv");
    await docket("evidence", "key", "--new", `${folder}/key`);
    const signed = ["--key", `${folder}/key`, "--out", `${folder}/a.zip`];
    const pack = await docket("evidence", "filesets", QUERY, ...signed);
    await service.shutdown();
    const what = `of ${rows} file sets`;
    return [
      atMost(
        `pack ${what}, against two CSV exports`,
        pack.seconds / (2 * csv.seconds),
        TIMES,
        (times) => `${times.toFixed(2)} times`,
        `${seconds(pack.seconds)} and ${seconds(2 * csv.seconds)}`,
      ),
      atMost(
        `memory for a pack ${what}, over that of \`docket --version\``,
        pack.megabytes - idle.megabytes,
        MEGABYTES,
        (megabytes) => `${megabytes.toFixed(0)} MB`,
      ),
    ];
  });

/** A service that answers in 5 ms. All file sets match but those of nobody. */
function serveFileSets(rows: number): Deno.HttpServer {
  const day = "2026-01-31T05:30:00Z";
  const rowAt = (number: number) => ({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    name: `File set ${number}`,
    description: "The figures of a month, as they were sent to everybody who asked for them",
    ...{ created: day, createdBy: number % 500, updated: day, updatedBy: number % 300 },
    owner: `Team ${number % 40}`,
    permission: "READ",
    fileCount: number % 100,
  });
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    const { searchParams } = new URL(request.url);
    const [limit, offset] = ["limit", "offset"].map((name) => Number(searchParams.get(name)));
    const [condition] = (await request.json()).filters ?? [];
    const total = !condition || condition.not ? rows : 0;
    const length = Math.max(0, Math.min(limit, total - offset));
    const fileSets = Array.from({ length }, (_, at) => rowAt(offset + at));
    return Response.json({ fileSets, pageContext: { next: "", offset, limit, total } });
  });
}

export default bench;

/** Runs a program, and returns its time and its largest memory. */
async function deno(env: Record<string, string>, words: readonly string[]) {
  const started = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    // The option of the task `docket`, which collects garbage sooner.
    args: ["run", "-A", "--v8-flags=--max-semi-space-size=4", ...words],
    env,
    stdout: "null",
    stderr: "null",
  }).spawn();
  let megabytes = 0;
  // The process may have just ended.
  const timer = setInterval(async () => {
    const status = await Deno.readTextFile(`/proc/${child.pid}/status`).catch(() => "");
    megabytes = Math.max(megabytes, Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1000);
  }, 20);
  const { success } = await child.status;
  clearInterval(timer);
  if (!success) throw new Error(`${words.join(" ")} failed`);
  return { seconds: (performance.now() - started) / 1000, megabytes };
}
