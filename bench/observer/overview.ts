/** How long the overview of many watches takes, as a signed-in person asks for it. */
import { send, startServing, TOKEN } from "../load.ts";
import { signIn } from "../sign_in.ts";

const REQUESTS = 200;

/**
 * The times of requests for the overview one after the other, sorted, in ms, by an app of its own
 * over the records in a folder.
 */
export async function overviewTimes(folder: string, upstream: string): Promise<readonly number[]> {
  const app = await startServing(["main.ts"], {
    PORT: "0",
    DATA_DIR: folder,
    SERVICE_BASE_URL: upstream,
    LOG_LEVEL: "error",
  });
  try {
    const cookie = await signIn(app.origin, TOKEN);
    const headers = { cookie, accept: "text/html", "accept-encoding": "gzip" };
    const times: number[] = [];
    for (let at = 0; at < REQUESTS; at++) {
      const started = performance.now();
      await send({ url: `${app.origin}/`, init: { headers } });
      times.push(performance.now() - started);
    }
    return times.sort((a, b) => a - b);
  } finally {
    await app.stop();
  }
}
