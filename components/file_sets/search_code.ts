/** A search as code: what to paste into a shell or a script. */
import { toCurl } from "../../lib/curl.ts";
import { DEFAULT_LIMIT, searchBodyText, searchRequest } from "../../lib/request.ts";
import { fileSetsHref, type FileSetsView } from "./file_sets_view.ts";

/** A view as texts to copy. */
export interface SearchCode {
  readonly link: string;
  readonly curl: string;
  readonly script: string;
}

/** Where the code will run against: Docket's own origin, and the name of its token header. */
export interface CodeTarget {
  readonly origin: string;
  readonly tokenHeader: string;
}

/** A view as texts to copy; the token is in none of them. */
export function searchCode(view: FileSetsView, target: CodeTarget): SearchCode {
  return {
    link: target.origin + fileSetsHref(view),
    curl: asCurl(view, target),
    script: asScript(view, target),
  };
}

/** The search as a command for a shell. */
function asCurl(view: FileSetsView, { origin, tokenHeader }: CodeTarget): string {
  const { body, limit = DEFAULT_LIMIT, offset = 0 } = view;
  return toCurl(searchRequest(origin, searchBodyText(body), { limit, offset }), tokenHeader);
}

/** The search as a script that reads every file set that matches. */
function asScript(view: FileSetsView, { origin, tokenHeader }: CodeTarget): string {
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
