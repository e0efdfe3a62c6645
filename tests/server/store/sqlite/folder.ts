/** A SQLite file of a test's own, and another process that has it locked. */
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../../../../server/store/store.ts";
import { fileSet } from "../rows.ts";
import { openSqliteStore } from "../open_stores.ts";
import { withFolder } from "../../../with_folder.ts";

/** Does work with the path of a database that is not there yet, and is gone afterwards. */
export function inFolder(work: (path: string) => Promise<void>): Promise<void> {
  return withFolder((folder) => work(`${folder}/docket.sqlite`));
}

/** A store with a file set and a developer token, while somebody else is writing to its file. */
export interface LockedStore {
  readonly store: Store;
  readonly token: string;
  /** Kills the other writer; nothing that it wrote is left. */
  unlock(): void;
}

/** Opens a store that waits so long for a lock, and locks its file. */
export async function lockedStore(path: string, busyMs: number): Promise<LockedStore> {
  const store = await openSqliteStore({ path, busyMs });
  await store.put({ fileSets: [fileSet(1)] });
  const token = (await store.tokens.add("ci", "reader", new Date(0)))!;
  const writer = new DatabaseSync(path);
  writer.exec("BEGIN IMMEDIATE; DELETE FROM file_sets");
  return {
    store,
    token,
    unlock() {
      writer.exec("ROLLBACK");
      writer.close();
    },
  };
}
