/** The app's answers over HTTP, against a bare `Deno.serve` that answers the same prepared bytes. */
import { type Figure, median } from "./bench.ts";
import { type LoadRequest, requestsPerSecond, startServing } from "./load.ts";
import { signIn } from "./sign_in.ts";

const TOKEN = "token-of-the-benchmark";
const ROUNDS = 3;

const apiHeaders = { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" };
const pageHeaders = { accept: "text/html" };

const REQUESTS: readonly { what: string; path: string; init: RequestInit }[] = [
  {
    what: "API, a page of 100 file sets",
    path: "/api/files/v1/filesets/search",
    init: { method: "POST", body: "{}", headers: apiHeaders },
  },
  {
    what: "API, 100 runs",
    path: "/api/content/v1/reportschedules/101/history",
    init: { headers: apiHeaders },
  },
  { what: "console, a page of 100 file sets", path: "/filesets", init: { headers: pageHeaders } },
  { what: "console, 100 runs", path: "/schedules/101", init: { headers: pageHeaders } },
];

export default async function pagesOverHttp(): Promise<Figure[]> {
  const folder = await Deno.makeTempDir();
  const app = await startServing(["main.ts"], {
    PORT: "0",
    DATA_DIR: folder,
    SERVICE_TOKEN: TOKEN,
  });
  try {
    const cookie = await signIn(app.origin, TOKEN);
    const requests = REQUESTS.map(({ what, path, init }) => ({
      what,
      path,
      init: { ...init, headers: { ...init.headers as Record<string, string>, cookie } },
    }));
    const prepared = await Promise.all(requests.map(async ({ path, init }, at) => {
      const response = await fetch(app.origin + path, init);
      const file = `${folder}/answer-${at}`;
      await Deno.writeFile(file, new Uint8Array(await response.arrayBuffer()));
      return [path, file, response.headers.get("content-type")];
    }));
    const bare = await startServing(["bench/bare_server.ts", JSON.stringify(prepared)]);
    try {
      const figures: Figure[] = [];
      for (const { what, path, init } of requests) {
        figures.push(
          await compare(what, { url: app.origin + path, init }, { url: bare.origin + path, init }),
        );
      }
      return figures;
    } finally {
      await bare.stop();
    }
  } finally {
    await app.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Measures both in turns, so that what else the machine does weighs on both. */
async function compare(what: string, app: LoadRequest, bare: LoadRequest): Promise<Figure> {
  const ours: number[] = [];
  const theirs: number[] = [];
  await requestsPerSecond(app, { ms: 1000 });
  await requestsPerSecond(bare, { ms: 1000 });
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await requestsPerSecond(app));
    theirs.push(await requestsPerSecond(bare));
  }
  return {
    what: `${what}, against the same bytes from a bare Deno.serve`,
    measured: `${median(ours).toFixed(0)} requests/s`,
    baseline: `${median(theirs).toFixed(0)} requests/s`,
    ratio: median(ours) / median(theirs),
  };
}
