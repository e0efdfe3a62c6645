/** How long a health check waits while visitors send the most expensive requests. */
import { openDatabase } from "../server/store/open.ts";
import { storeOn } from "../server/store/store.ts";
import { sampleBatches } from "../server/store/sample/fill.ts";
import { withFolder } from "../tests/with_folder.ts";
import { atMost, type Bench, milliseconds, quantile } from "./bench.ts";
import { CONNECTIONS, FILE_SETS } from "./health_attacks.ts";
import { startApp, TOKEN } from "./load.ts";
import { signIn } from "./sign_in.ts";

const BUDGET_MS = 50;
const MEASURED_MS = 10_000;

/** Sent by another thread, so that sending them does not delay the timed checks. */
const ATTACKS = Object.entries(CONNECTIONS);

const bench: Bench = (share) =>
  withFolder(async (folder) => {
    const store = storeOn(await openDatabase({ dataDir: folder, databaseUrl: null }));
    await store.load(sampleBatches({ fileSets: FILE_SETS * share }));
    await store.close();
    const app = await startApp(folder);
    try {
      const cookie = await signIn(app.origin, TOKEN);
      const quiet = await healthP99(app.origin);
      const figures = [];
      for (const attacks of [...ATTACKS.map((attack) => [attack]), ATTACKS]) {
        const attackers = new Worker(new URL("./health_attacks.ts", import.meta.url), {
          type: "module",
        });
        attackers.postMessage({ origin: app.origin, cookie, names: attacks.map(([name]) => name) });
        const p99 = await healthP99(app.origin);
        const answers = await new Promise((resolve) => {
          attackers.onmessage = ({ data }) => resolve(data);
          attackers.postMessage("stop");
        });
        attackers.terminate();
        const what = attacks.map(([name, connections]) => `${connections} × ${name}`).join(", ");
        console.error(`  ${what}: ${milliseconds(p99)}; answers`, answers);
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
