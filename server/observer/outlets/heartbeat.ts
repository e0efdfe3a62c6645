/** Requests sent to a service that notices when they stop. */
import { post, type Send } from "./post.ts";

/**
 * Sends a heartbeat.
 *
 * @throws {OutletError} If it was not accepted.
 */
export async function sendHeartbeat(url: string, send?: Send): Promise<void> {
  await post(url, { method: "GET" }, { send });
}
