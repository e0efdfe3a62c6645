/**
 * Makes the indexes again that an import dropped and, because it was killed, left out. An import that
 * is still running writes all the time, so they are made once nothing was written for a while.
 */
import type { DatabaseSync } from "node:sqlite";
import { missingIndexes } from "./sqlite_indexes.ts";
import type { IndexWork } from "./index_worker.ts";

export function createIndexUpkeep(path: string, db: DatabaseSync, quietMs: number) {
  let seen: string | undefined;
  let since = 0;
  let missing: readonly string[] = [];
  let worker: Worker | undefined;

  function end(): void {
    worker?.terminate();
    worker = undefined;
    // Checked again, in case not all could be made.
    seen = undefined;
  }

  function make(): void {
    worker = new Worker(new URL("./index_worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = end;
    worker.onerror = (event) => {
      event.preventDefault();
      end();
    };
    worker.postMessage({ path, statements: missing } satisfies IndexWork);
  }

  return {
    look(version: string): void {
      if (version !== seen) {
        seen = version;
        since = performance.now();
        missing = missingIndexes(db);
      }
      if (missing.length > 0 && !worker && performance.now() - since >= quietMs) make();
    },
    close: end,
  };
}
