/** The embedded service: the store, with the developer tokens that it accepts. */
import { recordsKeys, storedSecret } from "../config/data_folder.ts";
import type { StatusDictionary } from "../../lib/runs/status.ts";
import type { Log } from "../log/log.ts";
import { sameSecret } from "../auth/sealing.ts";
import { KNOWN_ANSWERS } from "./search_answers.ts";
import type { Holder, Service } from "./service.ts";
import type { Settings } from "../config/settings.ts";
import { type ObserverRecords, observerRecordsOn } from "../store/records/observer_records.ts";
import { DATABASE_FILE, openDatabase, reconnectingDatabase, RECORDS_FILE } from "../store/open.ts";
import { type Database, within } from "../store/database/database.ts";
import { sql } from "../store/database/sql.ts";
import { fillWithSample } from "../store/sample/fill.ts";
import { watchSample } from "../store/sample/sample_records.ts";
import { storeOn } from "../store/store.ts";
import { type Tokens, tokensOn } from "../store/records/tokens.ts";

/**
 * The database is opened when first needed. A new one is filled with sample data, which is watched, and
 * `judge` judges it before the first request is answered.
 */
export function embeddedService(
  settings: Settings,
  log: Log,
  judge: (service: Pick<Service, "identity" | "store" | "records">) => Promise<void>,
): Service {
  const identity = "embedded";
  const database = databaseFor(settings, log, async (opened) => {
    const filled = { identity, store: storeOn(opened), records: observerRecordsOn(opened) };
    const isSample = await fillWhenEmpty(opened);
    await filled.records.statuses.useSetting(settings.statuses, Date.now());
    if (isSample) await judge(filled);
  });
  const store = storeOn(database);
  const embeddedToken = settings.serviceToken ?? storedSecret(settings.dataDir, "service-token");
  async function findHolder(token: string): Promise<Holder | null> {
    if (sameSecret(token, embeddedToken)) {
      return { name: null, role: settings.oidc ? "user" : "operator", serviceToken: token };
    }
    const found = await store.tokens.find(token, new Date());
    return found ? { ...found, serviceToken: token } : null;
  }
  return {
    identity,
    store,
    records: observerRecordsOn(database),
    embeddedToken,
    searchAnswers: () => KNOWN_ANSWERS,
    backendFor: () => store,
    tokens: store.tokens,
    findHolder,
    reach: async () => void await database.read(sql`SELECT count(*) FROM schedules`),
    open: () => database.open(),
    close: () => database.close(),
  };
}

/** Fills a new database with the sample, all or nothing; false if it is not new. */
async function fillWhenEmpty(database: Database): Promise<boolean> {
  const store = storeOn(database);
  if (!await store.isEmpty() || await store.contents() !== undefined) return false;
  const now = new Date();
  await database.transaction(async (transaction) => {
    const inside = within(transaction, database);
    await fillWithSample(storeOn(inside), { now });
    await watchSample(observerRecordsOn(inside), now.getTime());
  });
  return true;
}

export interface StoredRecords extends Pick<Service, "store"> {
  readonly records: ObserverRecords;
  readonly tokens: Tokens;
  open(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The records as they are stored, opened when needed; null without lasting storage. With an upstream,
 * they are in a database of their own. `statuses` replaces the stored setting of that name.
 */
export function openRecords(
  settings: Settings,
  log: Log,
  statuses?: StatusDictionary,
): StoredRecords | null {
  if (settings.onDeploy && settings.databaseUrl === null) return null;
  const database = databaseFor(settings, log, async (opened) => {
    if (statuses) await observerRecordsOn(opened).statuses.useSetting(statuses, Date.now());
  });
  return {
    store: settings.serviceBaseUrl === null ? storeOn(database) : null,
    records: observerRecordsOn(database),
    tokens: tokensOn(database),
    open: () => database.open(),
    close: () => database.close(),
  };
}

/** The database of these settings, opened when needed, and prepared then. */
function databaseFor(
  settings: Settings,
  log: Log,
  prepare: (opened: Database) => Promise<void>,
) {
  return reconnectingDatabase(async () => {
    const opened = await openDatabase(settings, {
      file: settings.serviceBaseUrl === null ? DATABASE_FILE : RECORDS_FILE,
      recordsKeys: () => recordsKeys(settings),
    });
    try {
      await prepare(opened);
    } catch (error) {
      await opened.close();
      throw error;
    }
    return opened;
  }, {
    system: settings.databaseUrl === null ? "sqlite" : "postgresql",
    onRecovered: () => log.info("The database is available again"),
  });
}
