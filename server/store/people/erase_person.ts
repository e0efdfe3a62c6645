/** Erases a person from a database. */
import type { Actor } from "../../../lib/actor.ts";
import { maskAddress } from "../../../lib/runs/recipients.ts";
import type { Sealing } from "../../auth/sealing.ts";
import { type Database, within } from "../database/database.ts";
import { ownersOn } from "../records/owners.ts";
import { forgetPerson } from "./forget.ts";

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

/** @throws {ProblemError} With status 409 if this is not one person; nothing is erased. */
export async function erasePerson(
  database: Database,
  person: number | string,
  sealing: Sealing,
): Promise<Erasure> {
  const { runs, tables, isShared, also: channels = [] } = await forgetPerson(
    database,
    person,
    (transaction, addresses) =>
      removeFromChannels(addresses, ownersOn(within(transaction, database)), sealing),
  );
  return { runs, tables: tables.length, isShared, channels };
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
