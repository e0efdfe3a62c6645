import { createOwnMatching, matchingText, type OwnMatching } from "../lib/client/own_matching.ts";
import type { Backend } from "../lib/client/backend.ts";
import type { Client } from "../lib/mod.ts";
import type { Io } from "./io.ts";

/** Searches with any operator and order, and says afterwards what Docket filtered itself. */
export function fileSetSearch(client: Client, io: Io) {
  const { fileSets } = createOwnMatching()(client, "");
  let matching: OwnMatching | undefined;
  const backend: Backend = {
    ...client,
    fileSets: {
      async search(body, options) {
        const page = await fileSets.search(body, options);
        matching = page.matching;
        return page;
      },
    },
  };
  const sayMatching = async () => {
    if (matching) await io.err.write(`${matchingText(matching)}\n`);
  };
  return { backend, sayMatching };
}
