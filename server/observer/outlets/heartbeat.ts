/** A sign of life to somebody else, who notices when it stays out. */
import { post, type Send } from "./post.ts";

/**
 * Sends the sign of life.
 *
 * @throws {OutletError} when it was not taken
 */
export async function sendHeartbeat(url: string, send?: Send): Promise<void> {
  await post(url, { method: "GET" }, { send });
}
