/** Sets of recipients, which many runs share; each recipient is stored once. */
import { canonicalDomain } from "../../../lib/runs/look_alike.ts";
import { domainOf } from "../../../lib/runs/recipients.ts";
import type { Recipient } from "../../../lib/types.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { placeholders } from "../sql.ts";
import { foldCase } from "../text.ts";
import { forgottenOn } from "./forgotten.ts";
import { assignPeople } from "./assign_people.ts";
import { digestOf, inPieces, valuesOf } from "./pieces.ts";
import type { LedgerSource } from "./source.ts";

/** How often storing a set is tried, as its recipients may be removed meanwhile. */
const MOST_TRIES = 3;

/** Recipients in the order of the first run that listed them, each as JSON. */
export type RecipientList = readonly string[];

interface NewSet {
  readonly digest: string;
  readonly members: readonly { readonly digest: string; readonly json: string }[];
}

/** Stores new sets, and returns the id of each list's set. */
export async function storeSets(
  engine: Engine,
  source: LedgerSource,
  lists: readonly RecipientList[],
  now: number,
): Promise<ReadonlyMap<RecipientList, number>> {
  const shown = await forgottenOn(engine).replacement(lists.flat());
  const digests = new Map<string, string>();
  const memberOf = (listed: string) => {
    const json = shown(listed);
    let digest = digests.get(json);
    if (!digest) digests.set(json, digest = digestOf(`${source} ${json}`));
    return { digest, json };
  };
  const sets = new Map<string, NewSet>();
  const digestOfList = new Map<RecipientList, string>();
  for (const list of lists) {
    const members = list.map(memberOf);
    const digest = setDigest(source, members.map((member) => member.digest));
    digestOfList.set(list, digest);
    sets.set(digest, { digest, members });
  }
  const ids = await idsOfUsed(engine, [...sets.keys()], now);
  const missing = [...sets.values()].filter(({ digest }) => !ids.has(digest));
  if (missing.length > 0) {
    for (let tries = 1; !await addSets(engine, source, missing, now); tries++) {
      if (tries === MOST_TRIES) throw new Error("Recipients could not be stored");
    }
    const added = await idsOfUsed(engine, missing.map(({ digest }) => digest), now);
    for (const [digest, id] of added) ids.set(digest, id);
  }
  return new Map(lists.map((list) => [list, ids.get(digestOfList.get(list)!)!]));
}

/** The digest of a set, regardless of order. */
export function setDigest(source: number, members: readonly string[]): string {
  return digestOf(`${source} ${[...members].sort().join(" ")}`);
}

/** The ids of stored sets, marked as used so that none is removed for a day. */
async function idsOfUsed(
  engine: Engine,
  digests: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const piece of inPieces(digests)) {
    const rows = await engine.rows(
      `UPDATE recipient_sets SET used = ? WHERE digest IN (${placeholders(piece)}) ` +
        "RETURNING digest, id",
      [now, ...piece],
    );
    for (const [digest, id] of rows) ids.set(digest as string, id as number);
  }
  return ids;
}

async function addSets(
  engine: Engine,
  source: LedgerSource,
  sets: readonly NewSet[],
  now: number,
): Promise<boolean> {
  await addRecipients(engine, source, sets.flatMap(({ members }) => members));
  for (const piece of inPieces(sets, 50)) {
    if (await engine.transact(piece.flatMap((set) => stepsFor(set, now))) === null) return false;
  }
  return true;
}

function stepsFor({ digest, members }: NewSet, now: number): TransactionStep[] {
  const placed = members.map((member, place) => ({ place, digest: member.digest }));
  return [
    {
      text: "INSERT INTO recipient_sets (digest, size, used) VALUES (?, ?, ?) " +
        "ON CONFLICT (digest) DO NOTHING",
      values: [digest, members.length, now],
    },
    ...inPieces(placed).map((piece) => ({
      text: `WITH given (place, digest) AS (${valuesOf(["BIGINT", "TEXT"], piece.length)}) ` +
        "INSERT INTO recipient_set_members (set_id, place, recipient_id) " +
        "SELECT recipient_sets.id, given.place, recipients.id FROM given " +
        "JOIN recipients ON recipients.digest = given.digest " +
        "JOIN recipient_sets ON recipient_sets.digest = ? WHERE TRUE ON CONFLICT DO NOTHING",
      values: [...piece.flatMap(({ place, digest }) => [place, digest]), digest],
    })),
    {
      text: "SELECT 1 FROM recipient_sets WHERE digest = ? AND size = " +
        "(SELECT count(*) FROM recipient_set_members WHERE set_id = recipient_sets.id)",
      values: [digest],
      required: true,
    },
  ];
}

const COLUMNS = ["BIGINT", "BIGINT", "TEXT", "TEXT", "TEXT", "TEXT", "TEXT"] as const;

async function addRecipients(
  engine: Engine,
  source: LedgerSource,
  members: NewSet["members"],
): Promise<void> {
  const missing = new Map(members.map(({ digest, json }) => [digest, json]));
  for (const piece of inPieces([...missing.keys()])) {
    const rows = await engine.rows(
      `SELECT digest FROM recipients WHERE digest IN (${placeholders(piece)})`,
      piece,
    );
    for (const [digest] of rows) missing.delete(digest as string);
  }
  for (const piece of inPieces(missing, 200)) {
    const found = piece.map(([digest, json]) => ({ ...lookedUpBy(json), digest, json }));
    const rows = found.map((recipient) => [source, ...Object.values(recipient)]);
    const addresses = new Set(found.flatMap(({ address }) => address ?? []));
    const text = `WITH given AS (${valuesOf(COLUMNS, rows.length)}) INSERT INTO recipients ` +
      "(source, user_id, address, domain, folded, digest, json) " +
      "SELECT * FROM given WHERE TRUE ON CONFLICT (digest) DO NOTHING";
    await engine.transact([
      { text, values: rows.flat() },
      ...assignPeople(source, [...addresses]),
    ]);
  }
}

export function lookedUpBy(json: string) {
  const { userId, emailAddress, displayName }: Recipient = JSON.parse(json);
  const domain = domainOf(emailAddress);
  return {
    userId: userId ?? null,
    address: storable(emailAddress?.toLowerCase() ?? "") || null,
    domain: domain === undefined ? null : storable(canonicalDomain(domain)),
    folded: storable(foldCase(`${displayName ?? ""} ${emailAddress ?? ""}`)),
  };
}

function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
