import { isSecretHeader } from "../../check.ts";
import type { ShownRequest } from "./request.ts";

/**
 * Writes a request as a `curl` command without secrets. Environment variables replace them:
 * `DOCKET_TOKEN` the token, and for any other secret one that is named after its header, such as
 * `AUTHORIZATION`.
 *
 * @param request The request, such as `request()` of a result.
 * @returns The command for a POSIX shell, on several lines.
 *
 * @example
 * ```ts
 * import { createClient, toCurl } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const client = createClient({ baseUrl: "https://service.example", token: "secret" });
 * assertEquals(
 *   toCurl(client.reportSchedules.history(101).request()),
 *   `curl 'https://service.example/api/content/v1/reportschedules/101/history?limit=100&skip=0' \\
 *   -H 'accept: application/json' \\
 *   -H "X-SERVICE-Developer-Token: $DOCKET_TOKEN"`,
 * );
 * ```
 */
export function toCurl({ url, headers, body, tokenHeader }: ShownRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  // In double quotes, the shell replaces the variable.
  const withVariable = (name: string, variable: string) =>
    `"${name.replace(/[$`]/g, "\\$&")}: $${variable}"`;
  const parts = [`curl ${quote(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    const variable = name.toUpperCase().replace(/\W/g, "_");
    const header = isSecretHeader(name) ? withVariable(name, variable) : quote(`${name}: ${value}`);
    parts.push(`-H ${header}`);
  }
  if (tokenHeader !== null) parts.push(`-H ${withVariable(tokenHeader, "DOCKET_TOKEN")}`);
  if (body) parts.push(`--data-raw ${quote(body)}`);
  return parts.join(" \\\n  ");
}
