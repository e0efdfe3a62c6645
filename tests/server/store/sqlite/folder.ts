/** A SQLite file of a test's own. */
import { withFolder } from "../../../with_folder.ts";

/** Does work with the path of a database that is not there yet, and is gone afterwards. */
export function inFolder(work: (path: string) => Promise<void>): Promise<void> {
  return withFolder((folder) => work(`${folder}/docket.sqlite`));
}
