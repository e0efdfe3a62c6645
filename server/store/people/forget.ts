/** Erases a person's addresses and names from every table of a database. */
import {
  comparedAddress,
  maskAddress,
  ownUserId,
  recipientKey,
} from "../../../lib/runs/recipients.ts";
import { foldCase } from "../../../lib/search/match_rows.ts";
import type { FileSet, Recipient } from "../../../lib/types.ts";
import { ProblemError } from "../../http/problem.ts";
import { type Database, type Transaction, within } from "../database/database.ts";
import {
  any,
  ids,
  insert,
  lock,
  name,
  perSystem,
  set,
  type Sql,
  sql,
  texts,
} from "../database/sql.ts";
import { putFileSets, removeFileSets } from "../file_sets/write.ts";
import { readValue, UNLEASED } from "../records/transaction_step.ts";
import { lockRuns, markChanged } from "../runs/histories.ts";
import { MEMBERS } from "../runs/lists.ts";
import { readSharedUserIds } from "./assign_people.ts";
import { digestsBy, FORGOTTEN_NAME, forgottenForm } from "./forgotten.ts";
import type { Actor } from "../../../lib/actor.ts";
import type { Sealing } from "../../auth/sealing.ts";
import { ownersOn } from "../records/owners.ts";

interface StoredForm {
  readonly id: number;
  readonly personId: number;
  readonly digest: string;
  readonly json: string;
}

/** Who is erased, and what names them alone. */
interface Erased {
  readonly personId: number;
  readonly userIds: readonly number[];
  /** Addresses and names. */
  readonly texts: readonly string[];
  /** In lower case. */
  readonly addresses: ReadonlySet<string>;
  /** Whether somebody else has an address or a name of the person. */
  readonly isShared: boolean;
}

/** What was erased; it names nobody. */
export interface Erasure {
  /** How many runs listed the person, and how many other tables named them. */
  readonly runs: number;
  readonly tables: number;
  /** Whether somebody else has an address or a name of the person, which stays. */
  readonly isShared: boolean;
  /** What became of owners' mail channels with an address of the person, as sentences. */
  readonly channels: readonly string[];
}

/**
 * Erases the person with this user id or address, and nobody else.
 *
 * @throws {ProblemError} With status 409 if this is not one person; nothing is erased.
 */
export async function forgetPerson(
  database: Database,
  person: number | string,
  sealing: Sealing,
): Promise<Erasure> {
  // Makes SQLite overwrite deleted data.
  if (database.system === "sqlite") await database.maintain(sql`PRAGMA secure_delete = ON`);
  const { tables, ...done } = await database.transaction(async (transaction) => {
    await lockRuns(transaction);
    const erased = await findErased(transaction, person);
    await markForgotten(transaction, erased);
    const runs = await replaceForms(transaction, erased);
    const inFileSets = await replaceInFileSets(transaction, erased);
    // Until it ends, nobody else changes an owner.
    await transaction.read(lock("owners"));
    // Whoever has read a text to write it back, in a poll or about an incident, has to read it again.
    await transaction.write(sql`UPDATE known_schedules SET ${set(UNLEASED)}`);
    await transaction.write(sql`UPDATE incidents SET version = version + 1`);
    const tables = [...inFileSets, ...await replaceTexts(transaction, erased)];
    await transaction.write(
      sql`DELETE FROM recipient_decisions WHERE person_id = ${erased.personId}`,
    );
    const owners = ownersOn(within(transaction, database));
    const channels = await removeFromChannels(erased.addresses, owners, sealing);
    return { runs, tables, isShared: erased.isShared, channels };
  });
  const cleanUp = database.system === "sqlite"
    ? [EMPTY_LOG]
    // Also renews the planner's statistics, which contain frequent values.
    : [...new Set(["forms", "people", "leavers", "recipient_decisions", ...tables])]
      .map((table) => sql`VACUUM (FULL, ANALYZE) ${name(table)}`);
  for (const statement of cleanUp) await database.maintain(statement);
  return { ...done, tables: tables.length };
}

const EMPTY_LOG = sql`PRAGMA wal_checkpoint(TRUNCATE)`;

/**
 * Rewrites SQLite's file, of which unused parts may still have what was erased. Deno allows this only
 * to a program with all permissions, which the server has not.
 */
export async function rewriteFile(database: Database): Promise<void> {
  if (database.system !== "sqlite") return;
  for (const statement of [sql`VACUUM`, EMPTY_LOG]) await database.maintain(statement);
}

/** Finds what names a person; one who is not known gets the time as an id. */
async function findErased(transaction: Transaction, person: number | string): Promise<Erased> {
  const shared = await readSharedUserIds(transaction);
  const named = typeof person === "number" ? { userId: person } : { emailAddress: person };
  if (typeof person === "number" && ownUserId(named, shared) === null) {
    throw new ProblemError(409, `User id ${person} identifies nobody: use the address`);
  }
  const isNamed = typeof person === "number"
    ? sql`user_id = ${person}`
    : sql`address = ${comparedAddress(person) ?? ""}`;
  const forms = await transaction.read<StoredForm>(
    sql`SELECT id, person_id, json FROM forms
      WHERE person_id IN (SELECT person_id FROM forms WHERE ${isNamed})`,
  );
  const people = new Set(forms.map(({ personId }) => personId));
  if (people.size > 1) {
    throw new ProblemError(409, "Several people have this address: use the user id");
  }
  const personId = forms[0]?.personId ?? Date.now();
  const recipients = [named, ...forms.map(({ json }): Recipient => JSON.parse(json))];
  const userIds = [...new Set(recipients.flatMap((each) => ownUserId(each, shared) ?? []))];
  const found = await findTexts(transaction, recipients, personId);
  const texts = found.filter(({ isShared }) => !isShared).map(({ text }) => text);
  const addresses = new Set(
    texts.filter((text) => text.includes("@")).flatMap((text) => comparedAddress(text) ?? []),
  );
  const isShared = found.some(({ isShared }) => isShared);
  return { personId, userIds, texts, addresses, isShared };
}

/** Lets nobody store the person again. */
async function markForgotten(
  transaction: Transaction,
  { personId, userIds, addresses }: Erased,
): Promise<void> {
  const { keyId, digest } = newestDigests(transaction);
  const identities = [
    ...userIds.map((userId) => recipientKey({ userId })),
    ...[...addresses].map((emailAddress) => recipientKey({ emailAddress })),
  ];
  const digests = identities.map((identity) => ({ digest: digest(identity), keyId, personId }));
  if (digests.length > 0) {
    await transaction.write(sql`${insert("forgotten", digests)} ON CONFLICT DO NOTHING`);
  }
}

function newestDigests({ recordsKeys }: Transaction) {
  const [newest] = recordsKeys();
  if (newest === undefined) throw new TypeError("Without a key, nobody can be forgotten");
  return digestsBy(newest);
}

/** The addresses and names of a person, and whether somebody else is listed with each, too. */
async function findTexts(
  transaction: Transaction,
  recipients: readonly Recipient[],
  personId: number,
): Promise<readonly { readonly text: string; readonly isShared: boolean }[]> {
  const all = new Set([
    ...recipients.flatMap(({ emailAddress }) => emailAddress?.trim() || []),
    // A single word may be anybody's name.
    ...recipients.flatMap(({ displayName }) => displayName?.match(/\S\s+\S/) ? displayName : []),
  ]);
  const found: { text: string; isShared: boolean }[] = [];
  for (const text of all) {
    // A recipient whom nothing identifies may have the same name, but an address names the person.
    const isAnother = text.includes("@")
      ? sql`person_id <> ${personId}`
      : sql`person_id IS DISTINCT FROM ${personId}`;
    const others = await transaction.read<{ json: string }>(
      sql`SELECT json FROM forms WHERE ${isAnother} AND ${contains(sql`json`, text)}`,
    );
    const isShared = others.map(({ json }): Recipient => JSON.parse(json))
      .flatMap(({ displayName, emailAddress }) => [displayName, emailAddress])
      .some((each) => foldCase(each?.trim() ?? "") === foldCase(text));
    found.push({ text, isShared });
  }
  return found;
}

/** Replaces every form of the person; returns how many runs listed them. */
async function replaceForms(
  transaction: Transaction,
  { personId, userIds, addresses }: Erased,
): Promise<number> {
  const { digest } = newestDigests(transaction);
  const forms = await transaction.read<StoredForm>(
    sql`SELECT id, digest FROM forms WHERE person_id = ${personId}`,
  );
  const { json } = forgottenForm(personId);
  for (const form of forms) {
    await transaction.write(
      sql`UPDATE forms SET user_id = NULL, address = NULL, digest = ${digest(form.digest)},
        json = ${json} WHERE id = ${form.id}`,
    );
  }
  await transaction.write(
    sql`UPDATE people SET key = ${`f${personId}`}, user_id = NULL, domain = NULL, folded = '',
      left_at = NULL WHERE id = ${personId}`,
  );
  await transaction.write(
    sql`DELETE FROM leavers WHERE user_id IN ${ids(userIds)} OR address IN ${
      texts([...addresses])
    }`,
  );
  return await readValue(
    transaction,
    sql`SELECT count(*) FROM runs WHERE list_id IN
      (SELECT id FROM ${MEMBERS} WHERE form_id IN ${ids(forms.map(({ id }) => id))})`,
  );
}

/** Replaces texts in file sets, which are searched by them; returns which tables changed. */
async function replaceInFileSets(
  transaction: Transaction,
  { personId, texts }: Erased,
): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  // Two that replace texts of one file set do so in turn: each would put back what it has read.
  await markChanged(transaction, "file_sets");
  const rows = await transaction.read<{ key: number; json: string }>(
    sql`SELECT key, json FROM file_set_json WHERE ${holdsAny(sql`json`, texts)}`,
  );
  const changed = rows.map((row) => ({ ...row, next: replaceIn(row.json, texts, personId) }))
    .filter(({ json, next }) => next !== json);
  // Even an id may have been a name.
  await removeFileSets(transaction, changed.map(({ key }) => key));
  await putFileSets(transaction, changed.map(({ next }): FileSet => JSON.parse(next)));
  return changed.length > 0 ? FILE_SET_TABLES : [];
}

const FILE_SET_TABLES = ["file_sets", "file_set_json"];

const TEXT_COLUMNS = perSystem({
  sqlite: sql`SELECT tables.name AS table_name, columns.name AS column_name
    FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table' AND columns.type = 'TEXT'`,
  postgresql: sql`SELECT table_name, column_name FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = ANY (current_schemas(false)) AND table_type = 'BASE TABLE'
      AND is_generated = 'NEVER' AND data_type IN ('text', 'character varying')`,
});

/** These have statements of their own, or texts of other people, whose names may contain this one. */
const OTHER_TABLES = [...FILE_SET_TABLES, "people"];

/** Replaces texts in all other columns, ignoring case; returns which tables changed. */
async function replaceTexts(
  transaction: Transaction,
  { personId, texts: all }: Erased,
): Promise<readonly string[]> {
  const changed = new Set<string>();
  const columns = await transaction.read<{ tableName: string; columnName: string }>(TEXT_COLUMNS);
  for (const { tableName, columnName } of columns) {
    if (OTHER_TABLES.includes(tableName)) continue;
    const [table, column] = [name(tableName), name(columnName)];
    // Recipients whom nothing identifies are no people: their names may contain this one, too.
    const isForms = tableName === "forms";
    const among = isForms ? sql`person_id IS NULL` : sql`TRUE`;
    const texts = isForms ? all.filter((text) => text.includes("@")) : all;
    const rows = await transaction.read<{ value: string }>(
      sql`SELECT DISTINCT ${column} AS value FROM ${table}
        WHERE ${among} AND ${holdsAny(column, texts)}`,
    );
    for (const { value } of rows) {
      const next = replaceIn(value, texts, personId);
      if (next === value) continue;
      changed.add(tableName);
      await transaction.write(
        sql`UPDATE ${table} SET ${column} = ${next} WHERE ${among} AND ${column} = ${value}`,
      );
    }
  }
  return [...changed];
}

function holdsAny(column: Sql, texts: readonly string[]): Sql {
  return any(texts.map((text) => contains(column, text)));
}

/** Whether a column may contain a text, ignoring case, also within JSON. */
function contains(column: Sql, text: string): Sql {
  const like = (spelled: string) => `%${spelled.replace(/[\\%_]/g, "\\$&").replaceAll('"', "%")}%`;
  // SQLite's own functions ignore the case of ASCII only.
  const others = /[^ -~]/.test(text) ? [text, text.toUpperCase()] : [];
  return any([
    sql`lower(${column}) LIKE ${like(text.toLowerCase())} ESCAPE '\\'`,
    ...others.map((spelled) => sql`${column} LIKE ${like(spelled)} ESCAPE '\\'`),
  ]);
}

function replaceIn(value: string, texts: readonly string[], personId: number): string {
  const replacement = `${FORGOTTEN_NAME} ${personId}`;
  return texts.reduce((next, text) => next.replace(toPattern(text), replacement), value);
}

/** Matches a text alone or within JSON, but not as part of a longer name or address. */
function toPattern(text: string): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|\/]/g, "\\$&").replaceAll('"', '\\\\*"');
  const before = text.includes("@") ? "[\\p{L}\\p{N}.!#$%&'*+\\/=?^_`{|}~-]" : "[\\p{L}\\p{N}]";
  const after = text.includes("@") ? "-?[\\p{L}\\p{N}]|\\.[\\p{L}\\p{N}]" : "[\\p{L}\\p{N}]";
  return new RegExp(`(?:(?<!${before})|(?<=\\\\[bfnrt]))${literal}(?!${after})`, "giu");
}

/** Who changes owners' channels here, instead of the person who changed the owner before. */
const ERASURE: Actor = { name: "the erasure of a person", known: "token" };

/** Removes addresses from owners' mail channels, and a channel that has no other. */
async function removeFromChannels(
  addresses: ReadonlySet<string>,
  owners: ReturnType<typeof ownersOn>,
  sealing: Sealing,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const known = new Map((await owners.list()).map((owner) => [owner.key, owner]));
  for (const channel of await owners.sealedChannels()) {
    const owner = known.get(channel.ownerKey);
    if (channel.kind !== "mail" || !owner) continue;
    const { name, quiet } = owner;
    const its = `The mail channel of the owner "${name}"`;
    const secret = await sealing.open(channel.sealed);
    if (typeof secret !== "string") {
      lines.push(`${its} was not searched: it was sealed with another RECORDS_KEY`);
      continue;
    }
    const all = secret.split(",");
    const others = all.filter((address) => !addresses.has(address.toLowerCase()));
    if (others.length === all.length) continue;
    const next = others.length === 0 ? null : {
      ...channel,
      sealed: await sealing.seal(others.join(",")),
      hint: others.map(maskAddress).join(", "),
    };
    await owners.save({ name, quiet, actor: ERASURE, changed: Date.now() }, { mail: next });
    lines.push(
      next ? `${its} no longer has the address` : `${its} had no other address, and was removed`,
    );
  }
  return lines;
}
