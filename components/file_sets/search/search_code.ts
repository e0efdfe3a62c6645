/** A search as code to copy. */
import { toCurl } from "../../../lib/curl.ts";
import { DEFAULT_LIMIT } from "../../../lib/backend.ts";
import { searchBodyText, searchRequest } from "../../../lib/request.ts";
import { fileSetsHref, type FileSetsView } from "../file_sets_view.ts";

/** A view as code to copy. */
export interface SearchCode {
  readonly link: string;
  readonly curl: string;
  readonly script: string;
}

/** The server that the code runs against. */
export interface CodeTarget {
  readonly origin: string;
  readonly tokenHeader: string;
}

/** Writes a view as code, without the token. */
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
  const request = searchRequest(origin, searchBodyText(body), { limit, offset });
  return toCurl({ ...request, tokenHeader });
}

/** The search as a script that reads all matching file sets. */
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
