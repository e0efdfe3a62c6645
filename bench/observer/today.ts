import { send, startApp, TOKEN } from "../load.ts";
import { signIn } from "../sign_in.ts";

const REQUESTS = 200;

/** Starts an app on a folder with records. Returns times of requests for Today, in milliseconds. */
export async function todayTimes(folder: string, upstream: string): Promise<readonly number[]> {
  // Otherwise the first visit would ask the service what the reader's token may read.
  const open = { RECORDS_READERS: "all" };
  const app = await startApp(folder, { SERVICE_BASE_URL: upstream, SERVICE_TOKEN: "", ...open });
  try {
    const cookie = await signIn(app.origin, TOKEN);
    const headers = { cookie, accept: "text/html", "accept-encoding": "gzip" };
    const times: number[] = [];
    for (let at = 0; at < REQUESTS; at++) {
      const started = performance.now();
      await send({ url: `${app.origin}/`, init: { headers } });
      times.push(performance.now() - started);
    }
    return times;
  } finally {
    await app.stop();
  }
}
