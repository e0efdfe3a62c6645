import type { Settings } from "../config/settings.ts";
import { isLoopback } from "./host.ts";

/**
 * The origin for links that leave the program: in its first lines, in mails and in webhooks.
 *
 * @param port The port that is listened on, by default the setting's.
 */
export function originOf(
  { publicOrigin, host, port: asked }: Pick<Settings, "publicOrigin" | "host" | "port">,
  port = asked,
): string {
  const name = isLoopback(host) || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return publicOrigin ?? `http://${name}:${port}`;
}
