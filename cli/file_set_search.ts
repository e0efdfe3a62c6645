import { createOwnMatching, matchingText, type OwnMatching } from "../lib/client/own_matching.ts";
import type { Backend } from "../lib/client/backend.ts";
import type { Client } from "../lib/mod.ts";
import type { Io } from "./io.ts";

/** Searches with any operator and order; `sayMatching` says afterwards what Docket did itself. */
export function fileSetSearch(
  client: Client,
  io: Io,
): { readonly backend: Backend; readonly sayMatching: () => Promise<void> } {
  const searching = createOwnMatching()(client, "");
  let matching: OwnMatching | undefined;
  const search: Backend["fileSets"]["search"] = async (...args) => {
    const page = await searching.fileSets.search(...args);
    matching = page.matching;
    return page;
  };
  return {
    backend: { ...client, fileSets: { search } },
    async sayMatching() {
      if (matching) await io.err.write(`${matchingText(matching)}\n`);
    },
  };
}
