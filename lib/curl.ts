/**
 * A request as a command for a shell.
 *
 * @module
 */

import type { RequestPlan } from "./request.ts";

/**
 * Writes a request as a `curl` command for a POSIX shell. The token is never in it: its place is
 * taken by the environment variable `DOCKET_TOKEN`.
 *
 * @param plan The request.
 * @param tokenHeader Name of the token's header, or null when none is sent.
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
 *   -H "X-SERVICE-Developer-Token: $DOCKET_TOKEN"`,
 * );
 * ```
 */
export function toCurl(plan: RequestPlan, tokenHeader: string | null): string {
  const parts = [`curl ${quote(plan.url)}`];
  for (const [name, value] of Object.entries(plan.headers)) {
    parts.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  // Double quotes let the shell put the variable in; a header's name holds nothing to escape.
  if (tokenHeader !== null) parts.push(`-H "${tokenHeader}: $DOCKET_TOKEN"`);
  if (plan.body) parts.push(`--data-raw ${quote(plan.body)}`);
  return parts.join(" \\\n  ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
