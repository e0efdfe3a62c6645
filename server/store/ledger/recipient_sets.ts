/** Sets of recipients, which many runs share; each recipient is stored once. */
import { canonicalDomain } from "../../../lib/runs/look_alike.ts";
import {
  comparedAddress,
  domainOf,
  ownUserId,
  sharedUserIds,
} from "../../../lib/runs/recipients.ts";
import type { Recipient } from "../../../lib/types.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { placeholders } from "../sql.ts";
import { foldCase } from "../../../lib/search/compare_values.ts";
import { forgottenOn, forgottenRecipient } from "./forgotten.ts";
import { assignPeople, shareUserIds } from "./assign_people.ts";
import { digestOf, inChunks, valuesOf } from "./chunks.ts";
import type { LedgerSource } from "./source.ts";

/** Storing a set is retried, because its recipients may be removed meanwhile. */
const MAX_TRIES = 3;

/** Recipients as JSON, in the order of the first run that listed them. */
export type RecipientList = readonly string[];

interface NewSet {
  readonly digest: string;
  readonly members: readonly { readonly digest: string; readonly json: string }[];
}

export async function storeSets(
  engine: Engine,
  source: LedgerSource,
  lists: readonly RecipientList[],
  now: number,
): Promise<ReadonlyMap<RecipientList, number>> {
  const replaceForgotten = await forgottenOn(engine).replacement(lists);
  const digests = new Map<string, string>();
  const memberOf = (listed: string) => {
    const json = replaceForgotten(listed);
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
    const listed = missing.map(({ members }) => members.map(({ json }) => JSON.parse(json)));
    await shareUserIds(engine, source, sharedUserIds(listed));
    for (let tries = 1; !await addSets(engine, source, missing, now); tries++) {
      if (tries === MAX_TRIES) throw new Error("Recipients could not be stored");
    }
    const added = await idsOfUsed(engine, missing.map(({ digest }) => digest), now);
    for (const [digest, id] of added) ids.set(digest, id);
  }
  return new Map(lists.map((list) => [list, ids.get(digestOfList.get(list)!)!]));
}

/** The digest of a set; the order of its members does not matter. */
export function setDigest(source: number, members: readonly string[]): string {
  return digestOf(`${source} ${[...members].sort().join(" ")}`);
}

/** The ids of stored sets, which are marked as used, so that none is removed for a day. */
async function idsOfUsed(
  engine: Engine,
  digests: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const chunk of inChunks(digests)) {
    const rows = await engine.rows(
      `UPDATE recipient_sets SET used_at = ? WHERE digest IN (${placeholders(chunk)}) ` +
        "RETURNING digest, id",
      [now, ...chunk],
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
  for (const chunk of inChunks(sets, 50)) {
    if (await engine.transact(chunk.flatMap((set) => stepsFor(set, now))) === null) return false;
  }
  return true;
}

function stepsFor({ digest, members }: NewSet, now: number): TransactionStep[] {
  const positions = members.map(({ digest }, position) => ({ position, digest }));
  return [
    {
      text: "INSERT INTO recipient_sets (digest, size, used_at) VALUES (?, ?, ?) " +
        "ON CONFLICT (digest) DO NOTHING",
      values: [digest, members.length, now],
    },
    ...inChunks(positions).map((chunk) => ({
      text: `WITH members (position, digest) AS (${valuesOf(["BIGINT", "TEXT"], chunk.length)}) ` +
        "INSERT INTO recipient_set_members (set_id, position, recipient_id) " +
        "SELECT recipient_sets.id, members.position, recipients.id FROM members " +
        "JOIN recipients ON recipients.digest = members.digest " +
        "JOIN recipient_sets ON recipient_sets.digest = ? WHERE TRUE ON CONFLICT DO NOTHING",
      values: [...chunk.flatMap(({ position, digest }) => [position, digest]), digest],
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
  for (const chunk of inChunks([...missing.keys()])) {
    const rows = await engine.rows(
      `SELECT digest FROM recipients WHERE digest IN (${placeholders(chunk)})`,
      chunk,
    );
    for (const [digest] of rows) missing.delete(digest as string);
  }
  if (missing.size === 0) return;
  const text = "SELECT user_id FROM shared_user_ids WHERE source = ?";
  const shared = new Set((await engine.rows(text, [source])).map(([userId]) => userId as number));
  for (const chunk of inChunks(missing, 200)) {
    const found = chunk.map(([digest, json]) => ({ ...lookupColumns(json, shared), digest, json }));
    const rows = found.map((recipient) => [source, ...Object.values(recipient)]);
    const addresses = new Set(found.flatMap(({ address }) => address ?? []));
    const text = `WITH incoming AS (${valuesOf(COLUMNS, rows.length)}) INSERT INTO recipients ` +
      "(source, user_id, address, domain, folded, digest, json) " +
      "SELECT * FROM incoming WHERE TRUE ON CONFLICT (digest) DO NOTHING";
    await engine.transact([
      { text, values: rows.flat() },
      ...assignPeople(source, [...addresses]),
    ]);
  }
}

export function lookupColumns(json: string, shared?: ReadonlySet<number>) {
  const recipient: Recipient = JSON.parse(json);
  const { userId, emailAddress, displayName } = recipient;
  const isForgotten = json === forgottenRecipient(-(userId ?? 0));
  const domain = domainOf(emailAddress);
  return {
    userId: isForgotten ? userId! : ownUserId(recipient, shared),
    address: storable(comparedAddress(emailAddress) ?? "") || null,
    domain: domain === undefined ? null : storable(canonicalDomain(domain)),
    folded: storable(foldCase(`${displayName ?? ""} ${emailAddress ?? ""}`)),
  };
}

function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
