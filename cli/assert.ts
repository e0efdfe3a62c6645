import { createClient, type FileSet } from "../lib/mod.ts";
import { walkFileSets } from "../lib/client/walks/lists.ts";
import { type CommandLine, ExitCode, UsageError } from "./command.ts";
import { fileSetSearch } from "./file_set_search.ts";
import type { Values } from "./options.ts";
import { printTable } from "./table.ts";
import { readCount, readQuery } from "./values.ts";
import { jsonText } from "./writer.ts";

const MAX_SHOWN = 10;

/** Counts matching file sets by reading them; exits with `failed` if more than `--max` match. */
export function readAssert(values: Values, query: readonly string[]): CommandLine {
  const { json } = values;
  const body = readQuery(values, query);
  if (!body.filters && !body.dateFilters) {
    throw new UsageError("assert needs a condition, such as owner:Finance");
  }
  const max = readCount(values, "max", 0) ?? 0;
  return {
    requested: { body },
    async run(io, connect) {
      const fileSets: FileSet[] = [];
      let count = 0;
      const { backend, sayMatching } = fileSetSearch(createClient(await connect()), io);
      for await (const fileSet of walkFileSets(backend, body)) {
        if (count++ < MAX_SHOWN) fileSets.push(fileSet);
        // Further rows would not change the result.
        if (count > Math.max(max, MAX_SHOWN)) break;
      }
      await sayMatching();
      const isMore = count > Math.max(max, MAX_SHOWN);
      const passes = count <= max;
      if (json) {
        const found = { passes, max, count, isMore, fileSets };
        await io.out.write(jsonText(found));
      } else {
        const found = `${isMore ? "at least " : ""}${count.toLocaleString("en")}`;
        await io.err.write(
          `${passes ? "ok" : "FAILED"}: ${found} file sets match, at most ${max} allowed\n`,
        );
        const columns = ["id", "name", "owner"];
        if (!passes) await printTable(columns, fileSets, io, "--json writes everything");
      }
      return passes ? ExitCode.done : ExitCode.failed;
    },
  };
}
