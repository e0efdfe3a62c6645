/**
 * A request as a command for a shell.
 *
 * @module
 */

import { isSecretHeader } from "./check.ts";
import type { RequestPlan } from "./request.ts";

/** How a request is written as a command. */
export interface CurlOptions {
  /** Headers besides those of the request; those that sound secret become variables. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The shell to write for: a POSIX shell, which is the default, or PowerShell from 7.3. */
  readonly shell?: "posix" | "powershell";
}

/**
 * Writes a request as a `curl` command. No secret is in it: the place of the token is taken by the
 * shell's variable `TOKEN`, and that of any other by one with the header's name, such as
 * `AUTHORIZATION`. In PowerShell they are variables of the environment.
 *
 * @param plan The request.
 * @param tokenHeader Name of the token's header, or null when none is sent.
 * @param options Further headers, and the shell.
 * @returns The command, on several lines.
 *
 * @example
 * ```ts
 * import { historyRequest, toCurl } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   toCurl(historyRequest("https://service.example", 101), "X-SERVICE-Developer-Token"),
 *   `curl 'https://service.example/api/content/v1/reportschedules/101/history?limit=100&skip=0' \\
 *   -H 'accept: application/json' \\
 *   -H "X-SERVICE-Developer-Token: $TOKEN"`,
 * );
 * ```
 */
export function toCurl(
  plan: RequestPlan,
  tokenHeader: string | null,
  { headers = {}, shell = "posix" }: CurlOptions = {},
): string {
  const isPosix = shell === "posix";
  const quote = (text: string) => `'${text.replaceAll("'", isPosix ? `'\\''` : "''")}'`;
  // Double quotes let the shell put the variable in.
  const withVariable = (name: string, variable: string) =>
    isPosix
      ? `"${name.replace(/[$`]/g, "\\$&")}: $${variable}"`
      : `"${name.replace(/[$`]/g, "`$&")}: $env:${variable}"`;
  const parts = [`curl ${quote(plan.url)}`];
  for (const [name, value] of Object.entries({ ...headers, ...plan.headers })) {
    const variable = name.toUpperCase().replace(/\W/g, "_");
    const header = isSecretHeader(name) ? withVariable(name, variable) : quote(`${name}: ${value}`);
    parts.push(`-H ${header}`);
  }
  if (tokenHeader !== null) parts.push(`-H ${withVariable(tokenHeader, "TOKEN")}`);
  if (plan.body) parts.push(`--data-raw ${quote(plan.body)}`);
  return parts.join(isPosix ? " \\\n  " : " `\n  ");
}
