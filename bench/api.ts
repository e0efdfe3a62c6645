/** The API's pages of file sets, compared with hand-written statements behind a bare `Deno.serve`. */
import { openDatabase } from "../server/store/open.ts";
import { storeOn } from "../server/store/store.ts";
import { sampleBatches } from "../server/store/sample/fill.ts";
import { withFolder } from "../tests/with_folder.ts";
import { atLeast, type Bench } from "./bench.ts";
import { API_HEADERS, type LoadRequest, ratesOf, startApp, startServing } from "./load.ts";

const FILE_SETS = 100_000;
/** More pages than the cache holds, so that each one is read again. */
const PAGES = 2400;
/** The lowest share of the baseline's requests per second. */
const BUDGET = 0.5;

const bench: Bench = (share) =>
  withFolder(async (folder) => {
    const store = storeOn(await openDatabase({ dataDir: folder, databaseUrl: null }));
    await store.load(sampleBatches({ fileSets: FILE_SETS * share }));
    await store.close();
    const app = await startApp(folder);
    const bare = await startServing(["bench/bare_store.ts", `${folder}/docket.sqlite`]);
    try {
      const { measured, baseline, ratio } = await ratesOf(pages(app.origin), pages(bare.origin));
      return [atLeast(
        "pages of 100 file sets sorted by name, against hand-written statements",
        ratio,
        BUDGET,
        (times) => `${times.toFixed(2)} times`,
        `${measured.toFixed(0)} and ${baseline.toFixed(0)} requests/s`,
      )];
    } finally {
      await app.stop();
      await bare.stop();
    }
  });

export default bench;

function pages(origin: string): LoadRequest[] {
  const body = JSON.stringify({ fieldSort: [{ field: "name" }] });
  return Array.from({ length: PAGES }, (_, offset) => ({
    url: `${origin}/api/files/v1/filesets/search?offset=${offset + 1}`,
    init: { method: "POST", headers: API_HEADERS, body },
  }));
}
