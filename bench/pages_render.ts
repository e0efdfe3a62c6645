/** The console's page of 100 file sets, against a bare Fresh page with the same markup. */
import { createBuilder } from "vite";
import config from "../fresh.config.ts";
import { type Figure, median } from "./bench.ts";
import { requestsPerSecond, startServing } from "./load.ts";
import { signIn } from "./sign_in.ts";

const TOKEN = "token-of-the-benchmark";
const ROUNDS = 5;

export default async function renderedPages(): Promise<Figure[]> {
  const root = new URL("bare_fresh", import.meta.url).pathname;
  const nitro = { ...config.nitro, rootDir: root, entry: `${root}/entry.ts` };
  const builder = await createBuilder({ ...config, root, nitro } as typeof config);
  await builder.buildApp();

  const folder = await Deno.makeTempDir();
  const app = await startServing(["main.ts"], {
    PORT: "0",
    DATA_DIR: folder,
    SERVICE_TOKEN: TOKEN,
  });
  const bare = await startServing(["bench/bare_fresh/serve.ts"]);
  try {
    const cookie = await signIn(app.origin, TOKEN);
    const ours = { url: `${app.origin}/filesets`, init: { headers: { cookie } } };
    const theirs = { url: `${bare.origin}/` };
    const rates: [number, number][] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      rates.push([await requestsPerSecond(ours), await requestsPerSecond(theirs)]);
    }
    // The first round is for warming up.
    const [our, their] = [0, 1].map((side) => median(rates.slice(1).map((pair) => pair[side])));
    return [{
      what: "console, a page of 100 file sets, against a bare Fresh page with the same markup",
      measured: `${our.toFixed(0)} requests/s`,
      baseline: `${their.toFixed(0)} requests/s`,
      ratio: our / their,
      target: "≥ 0.5",
    }];
  } finally {
    await bare.stop();
    await app.stop();
    await Deno.remove(folder, { recursive: true });
  }
}
