import { toCurl } from "../../../lib/client/transport/curl.ts";
import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import { searchBodyText, searchRequest } from "../../../lib/client/transport/request.ts";
import { type Code, type CodeTarget, scriptOf } from "../../export/code_texts.tsx";
import { fileSetsHref } from "../file_sets_view.ts";
import type { ShownSearch } from "../../search/page_view.ts";

export function searchCode(view: ShownSearch, target: CodeTarget): Code {
  return {
    link: target.origin + fileSetsHref(view),
    curl: asCurl(view, target),
    script: asScript(view, target),
  };
}

function asCurl(view: ShownSearch, { origin, tokenHeader }: CodeTarget): string {
  const { body, limit = DEFAULT_LIMIT, offset = 0 } = view;
  const request = searchRequest(origin, searchBodyText(body), { limit, offset });
  return toCurl({ ...request, tokenHeader });
}

function asScript({ body }: ShownSearch, target: CodeTarget): string {
  return scriptOf(
    target,
    `for await (const fileSet of client.fileSets.search(${JSON.stringify(body, null, 2)})) {
  console.log(fileSet.id, fileSet.name);
}`,
  );
}
