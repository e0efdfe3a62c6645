import { isLoopback } from "../http/host.ts";
import type { Settings } from "../config/settings.ts";

/** The origin for links that leave the program: in its first lines, in mails and in webhooks. */
export function originOf(
  { publicOrigin, host }: Pick<Settings, "publicOrigin" | "host">,
  port: number,
): string {
  const name = isLoopback(host) || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return publicOrigin ?? `http://${name}:${port}`;
}
