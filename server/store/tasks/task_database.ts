/** Opens the database of a task, and makes sure that it is the one that Docket serves. */
import { resolve } from "node:path";
import { recordsKeys } from "../../config/data_folder.ts";
import type { Settings } from "../../config/settings.ts";
import { RECORDS_API } from "../../http/paths.ts";
import { DatabaseError } from "../database/database_error.ts";
import type { Database } from "../database/database.ts";
import { DATABASE_FILE, openDatabase } from "../open.ts";
import { serviceOn } from "../records/service_facts.ts";
import { type Store, storeOn } from "../store.ts";
import { type TaskContext, TaskError } from "./task.ts";

const ANSWER_MS = 5000;

/**
 * Opens the databases in these files, or PostgreSQL, and reports which they are.
 *
 * @throws {TaskError} If the Docket at `DOCKET_URL` serves another one
 */
export async function openForTask(
  settings: Settings,
  context: TaskContext,
  files: readonly string[] = [DATABASE_FILE],
  docket = docketFor(settings, context),
): Promise<readonly Database[]> {
  for (const file of files) context.report(`Database: ${describePlace(settings, file)}`);
  const served = files.length === 0 ? null : await docket?.servedId() ?? null;
  const databases: Database[] = [];
  try {
    // A database that is served is there: one that is not must not be made by asking.
    for (const file of files) {
      databases.push(
        await openDatabase(settings, {
          file,
          create: served === null,
          recordsKeys: () => recordsKeys(settings),
        }),
      );
    }
    const found = await Promise.all(databases.map((each) => docket?.serves(each)));
    if (served !== null && !found.includes(true)) throw new TaskError(OTHER);
  } catch (error) {
    for (const database of databases) await database.close();
    const isMissing = error instanceof DatabaseError && error.kind === "missing";
    throw isMissing ? new TaskError(OTHER) : error;
  }
  return databases;
}

const OTHER =
  "No data was changed: the Docket at DOCKET_URL serves another database. Set DATA_DIR or " +
  "DATABASE_URL as it does, or make DOCKET_URL empty for this task";

/** Marks a database that `deno task seed` has started to fill. */
export const SEEDING = "seeding";

/** Opens the embedded service's database, and says if a seed was ended before it was done. */
export async function openStoreForTask(settings: Settings, context: TaskContext): Promise<Store> {
  const [database] = await openForTask(settings, context);
  const store = storeOn(database);
  if (await store.metadata(SEEDING) !== undefined) {
    context.report(
      "An earlier deno task seed was ended before it was done: its rows are incomplete",
    );
  }
  return store;
}

/** Where a database is, without the password. */
function describePlace({ databaseUrl, dataDir }: Settings, file: string): string {
  if (databaseUrl === null) return resolve(dataDir, file);
  const url = URL.parse(databaseUrl);
  return url ? `${url.pathname.slice(1)} of PostgreSQL at ${url.host}` : "PostgreSQL";
}

/** The Docket at `DOCKET_URL`, for a task; null without one. */
export function docketFor(
  { serviceTokenHeader }: Settings,
  { env, report }: TaskContext,
) {
  const { DOCKET_URL: url, DOCKET_TOKEN = "" } = env;
  if (!url) return null;
  const send = (path: string, init: RequestInit) =>
    fetch(`${url.replace(/\/*$/, RECORDS_API)}/${path}`, {
      ...init,
      headers: {
        [serviceTokenHeader]: DOCKET_TOKEN,
        accept: "application/json",
        "content-type": "application/json",
      },
      redirect: "manual",
    });

  async function askDatabase(): Promise<string | null> {
    try {
      const response = await send("statuses", { signal: AbortSignal.timeout(ANSWER_MS) });
      const { database } = await response.json();
      if (typeof database === "string") return database;
    } catch {
      // Said below.
    }
    report("DOCKET_URL does not answer which database it serves: it was not compared");
    return null;
  }
  let answer: Promise<string | null> | undefined;
  const servedId = () => answer ??= askDatabase();

  return {
    /** The random id of the database that it serves; null if it is not known. */
    servedId,
    async serves(database: Database): Promise<boolean> {
      return (await serviceOn(database).get()).id === await servedId();
    },
    /** @throws {TaskError} If it refuses, with its reason */
    async post<Answer>(path: string, body: unknown): Promise<Answer> {
      const response = await send(path, { method: "POST", body: JSON.stringify(body) });
      const answer = await response.json().catch(() => null);
      if (response.ok && answer !== null) return answer;
      const why = answer?.detail ?? `status ${response.status}`;
      throw new TaskError(`The Docket at DOCKET_URL did not do it: ${why}`);
    },
  };
}
