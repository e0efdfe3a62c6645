/** A search as code: what to paste into a shell or a script. */
import { toCurl } from "../lib/curl.ts";
import { planSearch, searchBodyText } from "../lib/request.ts";
import type { FileSetsView } from "./file_sets_view.ts";

/** The search as a command for a shell. */
export function searchAsCurl(view: FileSetsView, origin: string, tokenHeader: string): string {
  const { body, limit = 100, offset = 0 } = view;
  return toCurl(planSearch(origin, searchBodyText(body), { limit, offset }), tokenHeader);
}

/** The search as a script that reads every file set that matches. */
export function searchAsScript(view: FileSetsView, origin: string, tokenHeader: string): string {
  const header = tokenHeader === "X-SERVICE-Developer-Token"
    ? ""
    : `\n  tokenHeader: ${JSON.stringify(tokenHeader)},`;
  return `import { createClient } from "jsr:@docket/docket";

const client = createClient({
  baseUrl: ${JSON.stringify(origin)},
  token: Deno.env.get("DOCKET_TOKEN")!,${header}
});

for await (const fileSet of client.fileSets.search(${JSON.stringify(view.body, null, 2)})) {
  console.log(fileSet.id, fileSet.name);
}
`;
}
