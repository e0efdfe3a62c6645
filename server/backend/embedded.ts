/** The embedded service: the store, with the developer tokens that it accepts. */
import {
  DataFolderError,
  makeDataFolder,
  recordsKeys,
  storedSecret,
} from "../config/data_folder.ts";
import type { StatusDictionary } from "../../lib/runs/status.ts";
import type { Log } from "../log/log.ts";
import { sameSecret } from "../auth/sealing.ts";
import { KNOWN_ANSWERS } from "./search_answers.ts";
import type { Holder, Service } from "./service.ts";
import type { Settings } from "../config/settings.ts";
import { type ObserverRecords, observerRecordsOn } from "../store/records/observer_records.ts";
import { reconnectingDatabase } from "../store/database/reconnecting.ts";
import { openDatabase, RECORDS_FILE, systemOf } from "../store/open.ts";
import { sql } from "../store/database/sql.ts";
import { fillWithSample, SEEDED } from "../store/sample/fill.ts";
import { watchSample } from "../store/sample/sample_records.ts";
import { type Store, storeOn } from "../store/store.ts";
import { DatabaseError } from "../store/database/database_error.ts";
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
  let wasOpen = false;
  const database = reconnectingDatabase(async () => {
    const opened = await openDatabase(settings, {
      create: !wasOpen,
      recordsKeys: () => recordsKeys(settings),
    });
    try {
      if (!wasOpen) {
        const filled = { identity, store: storeOn(opened), records: observerRecordsOn(opened) };
        const isSample = await fillWhenEmpty(filled);
        await filled.records.statuses.useSetting(settings.statuses, Date.now());
        if (isSample) await judge(filled);
      }
    } catch (error) {
      await opened.close();
      throw error;
    }
    wasOpen = true;
    return opened;
  }, {
    system: systemOf(settings),
    onRecovered: () => log.info("The database is available again"),
  });
  const store = storeOn(database);
  const embeddedToken = settings.serviceToken ?? storedSecret(settings.dataDir, "service-token");
  async function holderOf(token: string): Promise<Holder | null> {
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
    serviceTokenOf: async (token) => (await holderOf(token))?.serviceToken ?? null,
    holderOf,
    reach: async () => void await database.read(sql`SELECT count(*) FROM schedules`),
    open: () => database.open(),
    close: () => database.close(),
  };
}

/** Fills a new database with the sample; false if it is not new. */
async function fillWhenEmpty(
  { store, records }: { readonly store: Store; readonly records: ObserverRecords },
): Promise<boolean> {
  const isFresh = await store.isEmpty() && await store.metadata(SEEDED) === undefined;
  if (!isFresh) return false;
  const now = new Date();
  await fillWithSample(store, { now });
  await watchSample(records, now.getTime());
  return true;
}

export interface SeparateRecords {
  readonly records: ObserverRecords;
  readonly tokens: Tokens;
  close(): Promise<void>;
}

/**
 * The records of a Docket with an upstream, opened when needed; null without lasting storage. `statuses`
 * replaces the stored setting of that name.
 */
export function openSeparateRecords(
  settings: Settings,
  log: Log,
  statuses?: StatusDictionary,
): SeparateRecords | null {
  if (settings.onDeploy && settings.databaseUrl === null) return null;
  const database = reconnectingDatabase(async () => {
    if (settings.databaseUrl === null) makeFolder(settings.dataDir);
    const opened = await openDatabase(settings, {
      file: RECORDS_FILE,
      recordsKeys: () => recordsKeys(settings),
    });
    try {
      if (statuses) await observerRecordsOn(opened).statuses.useSetting(statuses, Date.now());
    } catch (error) {
      await opened.close();
      throw error;
    }
    return opened;
  }, {
    system: systemOf(settings),
    onRecovered: () => log.info("The database is available again"),
  });
  return {
    records: observerRecordsOn(database),
    tokens: tokensOn(database),
    close: () => database.close(),
  };
}

function makeFolder(dataDir: string): void {
  try {
    makeDataFolder(dataDir, ["DATABASE_URL"]);
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    throw new DatabaseError("accessDenied", "", error.message);
  }
}
