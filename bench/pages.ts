/** The time of every page of the console, with 100,000 file sets and 100 watched schedules. */
import { openDatabase } from "../server/store/open.ts";
import { storeOn } from "../server/store/store.ts";
import { sampleBatches } from "../server/store/sample/fill.ts";
import { STORIES } from "../server/store/sample/sample_runs.ts";
import { withFolder } from "../tests/with_folder.ts";
import { atMost, type Bench, median, milliseconds, quantile } from "./bench.ts";
import { consolePages } from "./console_pages.ts";
import { send, startApp, TOKEN } from "./load.ts";
import { signIn } from "./sign_in.ts";
import { watchAndPoll } from "./watched.ts";

const FILE_SETS = 100_000;
const SCHEDULES = 100;
const BUDGET_MS = 60;
const WARM_UP = 5;
const REQUESTS = 40;

const bench: Bench = (share) =>
  withFolder(async (folder) => {
    const store = storeOn(await openDatabase({ dataDir: folder, databaseUrl: null }));
    const rows = sampleBatches({ fileSets: FILE_SETS * share, schedules: SCHEDULES });
    await store.load(rows);
    await store.close();
    const [{ scheduleId: first }] = STORIES;
    await watchAndPoll(folder, Array.from({ length: SCHEDULES }, (_, at) => first + at));
    const app = await startApp(folder);
    try {
      const headers = {
        cookie: await signIn(app.origin, TOKEN),
        accept: "text/html",
        "accept-encoding": "gzip",
      };
      const paths = await consolePages(app.origin);
      let slowest = { path: "", p95: 0 };
      for (const path of paths) {
        const times: number[] = [];
        for (let at = 0; at < WARM_UP + REQUESTS; at++) {
          const started = performance.now();
          await send({ url: app.origin + path, init: { headers } });
          if (at >= WARM_UP) times.push(performance.now() - started);
        }
        const p95 = quantile(times, 0.95);
        console.error(`  ${path}: median ${milliseconds(median(times))}, p95 ${milliseconds(p95)}`);
        if (p95 > slowest.p95) slowest = { path, p95 };
      }
      return [atMost(
        `p95 of the slowest of ${paths.length} pages, one request at a time: \`${slowest.path}\``,
        slowest.p95,
        BUDGET_MS,
        milliseconds,
      )];
    } finally {
      await app.stop();
    }
  });

export default bench;
