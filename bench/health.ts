/**
 * How long a health check waits while visitors ask for as much work as they can: long forms,
 * previews of plans, links with many ids, and deep searches.
 */
import { openStore } from "../server/store/open.ts";
import { sampleBatches } from "../server/store/sample/fill.ts";
import { atMost, type Bench, milliseconds, quantile, withFolder } from "./bench.ts";
import { API_HEADERS, startApp, TOKEN } from "./load.ts";
import { signIn } from "./sign_in.ts";

const FILE_SETS = 100_000;
const BUDGET_MS = 50;
const MEASURED_MS = 10_000;

/** Ranges of ids in the longest form and the longest link. */
const RANGES = "1-1000 ".repeat(9000);
const LINKED_RANGES = "1-1000+".repeat(1100);

/** Twenty lines, due up to every minute, which do not fit the runs. */
const PLAN = new URLSearchParams({
  cron: Array.from({ length: 20 }, (_, at) => `${at * 3}-${at * 3 + 2} * * * *`).join("\n"),
  zone: "Europe/Berlin",
  grace: "1",
  from: "2025-01-01",
  backtest: "on",
});

interface Attack {
  readonly at: string;
  readonly connections: number;
  readonly path: string;
  readonly init?: (round: number) => RequestInit;
}

const ATTACKS: readonly Attack[] = [
  {
    at: "forms of 64 KB",
    connections: 8,
    path: "/schedules/watch",
    init: () => ({ method: "POST", body: new URLSearchParams({ add: RANGES.slice(0, 65_000) }) }),
  },
  { at: "plan previews", connections: 20, path: `/schedules/101/plan?${PLAN}` },
  { at: "links with many ids", connections: 4, path: `/schedules?add=${LINKED_RANGES}` },
  {
    at: "deep searches",
    connections: 4,
    path: `/api/files/v1/filesets/search?limit=1000&offset=${FILE_SETS / 2}`,
    init: (round) => ({
      method: "POST",
      headers: API_HEADERS,
      body: JSON.stringify({
        filters: [{ field: "fileCount", not: true, value: [`${-round - 1}`] }],
        fieldSort: [{ field: "owner" }, { field: "name", order: "DESC" }],
      }),
    }),
  },
];

const bench: Bench = (share) =>
  withFolder(async (folder) => {
    const store = await openStore({ dataDir: folder, databaseUrl: null });
    await store.load(sampleBatches({ fileSets: FILE_SETS * share }));
    await store.close();
    const app = await startApp(folder);
    try {
      const cookie = await signIn(app.origin, TOKEN);
      const quiet = await healthP99(app.origin);
      const figures = [];
      for (const attacks of [...ATTACKS.map((attack) => [attack]), ATTACKS]) {
        const ending = new AbortController();
        const answers = new Map<number, number>();
        const attacking = attacks.flatMap((attack) =>
          Array.from({ length: attack.connections }, async () => {
            for (let round = 0; !ending.signal.aborted; round++) {
              const { headers, ...init } = attack.init?.(round) ?? {};
              const response = await fetch(app.origin + attack.path, {
                redirect: "manual",
                ...init,
                headers: headers ?? { cookie, origin: app.origin, accept: "text/html" },
              });
              await response.body?.cancel();
              answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
            }
          })
        );
        const p99 = await healthP99(app.origin);
        ending.abort();
        await Promise.all(attacking);
        const what = attacks.map(({ at, connections }) => `${connections} × ${at}`).join(", ");
        console.error(`  ${what}: ${milliseconds(p99)}; answers`, Object.fromEntries(answers));
        figures.push({ what, p99 });
      }
      return figures.map(({ what, p99 }) =>
        atMost(
          `p99 of a health check during ${what}`,
          p99,
          BUDGET_MS,
          milliseconds,
          `${milliseconds(quiet)} without`,
        )
      );
    } finally {
      await app.stop();
    }
  });

export default bench;

async function healthP99(origin: string): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + MEASURED_MS;
  while (performance.now() < end) {
    const started = performance.now();
    await (await fetch(`${origin}/healthz`)).body?.cancel();
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return quantile(times, 0.99);
}
