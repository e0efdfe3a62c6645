/** Erases a person's addresses and names from every table of a database. */
import { comparedAddress, ownUserId, recipientKey } from "../../../lib/runs/recipients.ts";
import { foldCase } from "../../../lib/search/compare_values.ts";
import type { FileSet, Recipient } from "../../../lib/types.ts";
import { newVersion } from "../data_version.ts";
import type { OpenEngine } from "../engine.ts";
import { recordsOf, select, update } from "../records/table.ts";
import { putFileSets } from "../file_sets/write.ts";
import { amongIds } from "../sql.ts";
import { FORGOTTEN_NAME, forgottenOn, forgottenRecipient } from "./forgotten.ts";
import { digestOf } from "./chunks.ts";
import { lookupColumns, setDigest } from "./recipient_sets.ts";

interface StoredRecipient {
  readonly id: number;
  readonly source: number;
  readonly personId: number;
  readonly json: string;
}

const RECIPIENTS = recordsOf<StoredRecipient>("recipients", "id, source, person_id, json");

/** Says why a user id or an address is not one person. */
export class AmbiguousPersonError extends Error {}

/**
 * Erases the person with this user id or address, and nobody else. Returns how many runs listed the
 * person, which other tables had the address or the name, the erased addresses in lower case, and
 * whether somebody else has an address or a name of the person, which stays.
 *
 * @throws {AmbiguousPersonError} If this is not one person; nothing is erased.
 */
export async function forgetPerson(engine: OpenEngine, person: number | string) {
  const named = typeof person === "number" ? { userId: person } : { emailAddress: person };
  const rows = await engine.rows("SELECT user_id FROM shared_user_ids");
  const shared = new Set(rows.map(([userId]) => userId as number));
  if (typeof person === "number" && ownUserId(named, shared) === null) {
    throw new AmbiguousPersonError(`User id ${person} identifies nobody: use the address`);
  }
  // Makes SQLite overwrite deleted data.
  if (engine.database.system === "sqlite") await engine.rows("PRAGMA secure_delete = ON");
  const column = typeof person === "number" ? "user_id" : "address";
  const found = await select(
    engine,
    RECIPIENTS,
    `WHERE person_id IN (SELECT person_id FROM recipients WHERE ${column} = ?) ORDER BY id`,
    [typeof person === "number" ? person : comparedAddress(person)!],
  );
  const listed = found.map(({ json }): Recipient => JSON.parse(json));
  const userIds = new Set([named, ...listed].flatMap((each) => ownUserId(each, shared) ?? []));
  const people = new Set(found.map(({ personId }) => personId));
  const sources = new Set(found.map(({ source }) => source));
  if (userIds.size > 1 || people.size > sources.size) {
    throw new AmbiguousPersonError("Several people have this address: use the user id");
  }
  const everyForm: Recipient[] = [named, ...listed];
  const texts = await textsOf(engine, everyForm, found);
  const own = texts.filter(({ isShared }) => !isShared).map(({ text }) => text);
  const addresses = own.filter((text) => text.includes("@")).flatMap((text) =>
    comparedAddress(text) ?? []
  );
  const id = found.length > 0 ? Math.min(...people) : Date.now();
  // First, so that no other process stores the person again meanwhile.
  await forgottenOn(engine).add(id, [
    ...[...userIds].map((userId) => recipientKey({ userId })),
    ...addresses.map((emailAddress) => recipientKey({ emailAddress })),
  ]);
  const runs = await replaceRecipients(engine, found, id);
  for (const userId of userIds) {
    await engine.rows("DELETE FROM leavers WHERE user_id = ?", [userId]);
  }
  const tables = await replaceTexts(engine, own, `${FORGOTTEN_NAME} ${id}`);
  const cleanUp = engine.database.system === "sqlite"
    ? ["PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"]
    // Also renews the planner's statistics, which contain frequent values.
    : [...new Set(["recipients", "people", "leavers", ...tables])]
      .map((table) => `VACUUM (FULL, ANALYZE) ${table}`);
  await engine.transact([newVersion("runs")]);
  for (const text of cleanUp) await engine.rows(text);
  return {
    runs,
    tables,
    addresses: new Set(addresses),
    isShared: texts.some(({ isShared }) => isShared),
  };
}

/** The addresses and names of a person, and whether somebody else is listed with each, too. */
async function textsOf(
  engine: OpenEngine,
  forms: readonly Recipient[],
  found: readonly StoredRecipient[],
) {
  const texts = new Set([
    ...forms.flatMap(({ emailAddress }) => emailAddress?.trim() || []),
    // A single word may be anybody's name.
    ...forms.flatMap(({ displayName }) => displayName?.match(/\S\s+\S/) ? displayName : []),
  ]);
  texts.delete(FORGOTTEN_NAME);
  const notTheirs = `person_id IS NOT NULL AND NOT ${amongIds("id", found.map(({ id }) => id))}`;
  return await Promise.all([...texts].map(async (text) => {
    const rows = await engine.rows(
      `SELECT json FROM recipients WHERE folded LIKE ? ESCAPE '\\' AND ${notTheirs}`,
      [`%${foldCase(text).replace(/[\\%_]/g, "\\$&")}%`],
    );
    const others = rows.map(([json]): Recipient => JSON.parse(json as string));
    const isShared = others.some(({ displayName, emailAddress }) =>
      [displayName, emailAddress].some((each) => foldCase(each?.trim() ?? "") === foldCase(text))
    );
    return { text, isShared };
  }));
}

/** Replaces recipients by one forgotten recipient per source; returns how many runs listed them. */
async function replaceRecipients(
  engine: OpenEngine,
  found: readonly StoredRecipient[],
  personId: number,
): Promise<number> {
  const json = forgottenRecipient(personId);
  const sets = await engine.rows(
    "SELECT DISTINCT source, set_id FROM recipient_set_members JOIN recipients ON id = recipient_id " +
      `WHERE ${amongIds("id", found.map(({ id }) => id))}`,
  ) as [number, number][];
  // Distinct, because the observer may have stored the embedded service's runs too.
  const [[runs]] = await engine.rows(
    "SELECT count(*) FROM (SELECT DISTINCT schedule_id, id FROM run_versions WHERE replaced = 0 " +
      `AND ${amongIds("set_id", sets.map(([, set]) => set))}) AS runs`,
  );
  for (const [source, recipients] of Map.groupBy(found, ({ source }) => source)) {
    const [first] = recipients;
    const ids = amongIds("recipient_id", recipients.map(({ id }) => id));
    const merge = (table: string) => update(table, { recipientId: first.id }, `WHERE ${ids}`, []);
    const replacement = { ...lookupColumns(json), digest: digestOf(`${source} ${json}`), json };
    const forgotten = { userId: -personId, keyAddress: null, domain: null, isForgotten: 1 };
    await engine.transact([
      merge("recipient_set_members"),
      merge("receipts"),
      merge("people"),
      {
        text: `DELETE FROM recipients WHERE ${ids.replace("recipient_id", "id")} AND id <> ?`,
        values: [first.id],
      },
      update("recipients", { personId: first.personId, ...replacement }, "WHERE id = ?", [
        first.id,
      ]),
      update("people", forgotten, "WHERE id = ?", [first.personId]),
    ]);
  }
  for (const [source, set] of sets) await renewDigest(engine, source, set);
  return runs as number;
}

/** Updates the digest of a set, so that the same runs get the same set when they are read again. */
async function renewDigest(engine: OpenEngine, source: number, set: number): Promise<void> {
  const members = await engine.rows(
    "SELECT digest FROM recipient_set_members JOIN recipients ON recipients.id = recipient_id " +
      "WHERE set_id = ?",
    [set],
  );
  const digest = setDigest(source, members.map(([digest]) => digest as string));
  const [[same] = [null]] = await engine.rows(
    "SELECT id FROM recipient_sets WHERE digest = ?",
    [digest],
  );
  const [text, values] = same === null
    ? ["UPDATE recipient_sets SET digest = ? WHERE id = ?", [digest, set]]
    : ["UPDATE run_versions SET set_id = ? WHERE set_id = ?", [same as number, set]];
  await engine.rows(text, values);
}

const COLUMNS = {
  sqlite: "SELECT tables.name, columns.name FROM pragma_table_list AS tables " +
    "JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' " +
    "AND columns.type = 'TEXT'",
  postgresql: "SELECT table_name, column_name FROM information_schema.columns " +
    "WHERE table_schema = ANY (current_schemas(false)) AND is_generated = 'NEVER' " +
    "AND data_type IN ('text', 'character varying') AND table_name NOT LIKE 'run_versions_%'",
};

/** Replaces texts in all columns of all tables, ignoring case; returns which tables changed. */
async function replaceTexts(
  engine: OpenEngine,
  texts: readonly string[],
  replacement: string,
): Promise<readonly string[]> {
  const tables = new Set<string>();
  for (const text of texts) {
    const pattern = patternOf(text);
    // SQLite's own functions ignore the case of ASCII only.
    const forms = [text.toLowerCase(), ...(/[^ -~]/.test(text) ? [text, text.toUpperCase()] : [])];
    const likes = forms.map((form) => `%${form.replace(/[\\%_]/g, "\\$&").replaceAll('"', "%")}%`);
    const contains = (column: string) =>
      likes.map((_, at) => `${at === 0 ? `lower(${column})` : column} LIKE ? ESCAPE '\\'`)
        .join(" OR ");
    // File sets have their own statements, which also update the trigrams.
    const found = await engine.rows(
      `SELECT json FROM file_set_json WHERE ${contains("json")}`,
      likes,
    ) as [string][];
    const fileSets = found.filter(([json]) => json.search(pattern) >= 0)
      .map(([json]): FileSet => JSON.parse(json.replace(pattern, replacement)));
    if (fileSets.length > 0) {
      tables.add("file_sets").add("file_set_json");
      const { database } = engine;
      await database.transaction((transaction) =>
        putFileSets(transaction, database.system, fileSets)
      );
    }
    for (
      const [table, column] of await engine.rows(COLUMNS[engine.database.system]) as [
        string,
        string,
      ][]
    ) {
      // Other people may have names that contain this one.
      const among = table === "people"
        ? "FALSE"
        : table === "recipients"
        ? "person_id IS NULL"
        : "TRUE";
      const values = await engine.rows(
        `SELECT DISTINCT ${column} FROM ${table} WHERE ${among} AND (${contains(column)})`,
        likes,
      ) as [string][];
      for (const [value] of values) {
        const next = value.replace(pattern, replacement);
        if (next === value) continue;
        tables.add(table);
        const text = `UPDATE ${table} SET ${column} = ? WHERE ${among} AND ${column} = ?`;
        await engine.rows(text, [next, value]);
      }
    }
  }
  return [...tables];
}

/** Matches a text alone or within JSON, but not as part of a longer name or address. */
function patternOf(text: string): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|\/]/g, "\\$&").replaceAll('"', '\\\\*"');
  const before = text.includes("@") ? "[\\p{L}\\p{N}.!#$%&'*+\\/=?^_`{|}~-]" : "[\\p{L}\\p{N}]";
  const after = text.includes("@") ? "-?[\\p{L}\\p{N}]|\\.[\\p{L}\\p{N}]" : "[\\p{L}\\p{N}]";
  return new RegExp(`(?:(?<!${before})|(?<=\\\\[bfnrt]))${literal}(?!${after})`, "giu");
}
