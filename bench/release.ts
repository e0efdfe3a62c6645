/** Pages and the API beside the first release, which is built from the repository's history. */
import { withFolder } from "../tests/with_folder.ts";
import { atLeast, type Bench, type Figure } from "./bench.ts";
import { API_HEADERS, type LoadRequest, ratesOf, startApp, startServing, TOKEN } from "./load.ts";
import { signIn } from "./sign_in.ts";
import { watchSample } from "./watched.ts";

const RELEASE = "483169a";
/** Pages that both have. */
const PAGES = ["/filesets", "/schedules/102", "/schedules/104/recipients", "/preferences"];
/** More pages of the API than either caches. */
const API_PAGES = 2400;

const bench: Bench = () =>
  withFolder(async (folder) => {
    const release = `${folder}/release`;
    const data = { ours: `${folder}/ours`, theirs: `${folder}/theirs` };
    for (const path of [release, ...Object.values(data)]) await Deno.mkdir(path);
    await run("bash", ["-c", `git archive ${RELEASE} | tar -x -C ${release}`]);
    await run(Deno.execPath(), ["task", "build"], release);
    await run(Deno.execPath(), ["run", "-A", "server/store/tasks/seed.ts"], release, {
      DATA_DIR: data.theirs,
    });
    await watchSample(data.ours);
    const ours = await startApp(data.ours);
    const settings = { PORT: "0", DATA_DIR: data.theirs, SERVICE_TOKEN: TOKEN, LOG_LEVEL: "error" };
    const theirs = await startServing(["main.ts"], settings, { cwd: release });
    try {
      const visits = await Promise.all([ours, theirs].map(({ origin }) => visitor(origin)));
      const figures: Figure[] = [];
      for (const path of PAGES) {
        const [measured, baseline] = visits.map((visit) => [visit(path)]);
        figures.push(await compare(`\`${path}\``, 1, measured, baseline));
      }
      const [measured, baseline] = [ours, theirs].map(({ origin }) => apiPages(origin));
      return [...figures, await compare("pages of the API", 0.5, measured, baseline)];
    } finally {
      await ours.stop();
      await theirs.stop();
    }
  });

export default bench;

/** How many times as many requests a second this Docket answers as the release, and at least has to. */
async function compare(
  what: string,
  least: number,
  ours: readonly LoadRequest[],
  theirs: readonly LoadRequest[],
): Promise<Figure> {
  const { measured, baseline, ratio } = await ratesOf(ours, theirs);
  const rates = `${measured.toFixed(0)} and ${baseline.toFixed(0)} requests/s`;
  const times = (ratio: number) => `${ratio.toFixed(2)} times`;
  return atLeast(`${what}, against the first release`, ratio, least, times, rates);
}

/** Makes the requests of a signed-in person. */
async function visitor(origin: string): Promise<(path: string) => LoadRequest> {
  const headers = {
    cookie: await signIn(origin, TOKEN),
    accept: "text/html",
    "accept-encoding": "gzip",
  };
  return (path) => ({ url: origin + path, init: { headers } });
}

function apiPages(origin: string): LoadRequest[] {
  const body = JSON.stringify({ fieldSort: [{ field: "name" }] });
  return Array.from({ length: API_PAGES }, (_, offset) => ({
    url: `${origin}/api/files/v1/filesets/search?offset=${offset + 1}`,
    init: { method: "POST", headers: API_HEADERS, body },
  }));
}

async function run(
  program: string,
  args: readonly string[],
  cwd = ".",
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const command = new Deno.Command(program, { args: [...args], cwd, env });
  const { success, stderr } = await command.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
