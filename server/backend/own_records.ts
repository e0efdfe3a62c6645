/** Docket's own records beside an upstream, in a database of their own. */
import { DataFolderError, makeDataFolder } from "../config/data_folder.ts";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../log/log.ts";
import { DatabaseError } from "../store/database_error.ts";
import { type ObserverRecords, observerRecordsOn } from "../store/observer/observer_records.ts";
import { openEngine } from "../store/open.ts";
import { reconnectingEngine } from "../store/reconnecting_engine.ts";

export interface OwnRecords {
  readonly records: ObserverRecords;
  close(): Promise<void>;
}

/** The file of the records, apart from the embedded service's data. */
const FILE = "observer.sqlite";

/** The records beside an upstream, opened when they are needed; null without lasting storage. */
export function ownRecords(settings: Settings, log: Log): OwnRecords | null {
  if (settings.onDeploy && settings.databaseUrl === null) return null;
  const engine = reconnectingEngine(async () => {
    if (settings.databaseUrl === null) makeFolder(settings.dataDir);
    return await openEngine(settings, { file: FILE });
  }, { onRecovered: () => log.info("The database is available again") });
  return { records: observerRecordsOn(engine), close: () => engine.close() };
}

function makeFolder(dataDir: string): void {
  try {
    makeDataFolder(dataDir, ["DATABASE_URL"]);
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    throw new DatabaseError("accessDenied", "", error.message);
  }
}
