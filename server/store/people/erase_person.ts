/** Erases a person from a database, and says what is left to do by hand. */
import type { Sealing } from "../../auth/sealing.ts";
import type { Database } from "../database/database.ts";
import { ownersOn } from "../records/owners.ts";
import { forgetPerson } from "./forget.ts";

/** What was erased; it names nobody. */
export interface Erasure {
  /** How many runs listed the person, and how many other tables named them. */
  readonly runs: number;
  readonly tables: number;
  /** Whether somebody else has an address or a name of the person, which stays. */
  readonly isShared: boolean;
  /** What to do about owners' mail channels with an address of the person, as sentences. */
  readonly channels: readonly string[];
}

/** @throws {ProblemError} With status 409 if this is not one person; nothing is erased. */
export async function erasePerson(
  database: Database,
  person: number | string,
  sealing: Sealing,
): Promise<Erasure> {
  const { runs, tables, isShared, addresses } = await forgetPerson(database, person);
  const channels = await channelsWith(addresses, ownersOn(database), sealing);
  return { runs, tables: tables.length, isShared, channels };
}

async function channelsWith(
  addresses: ReadonlySet<string>,
  owners: ReturnType<typeof ownersOn>,
  sealing: Sealing,
): Promise<readonly string[]> {
  const channels = (await owners.sealedChannels()).filter(({ kind }) => kind === "mail");
  const names = new Map((await owners.list()).map(({ key, name }) => [key, name]));
  const lines = await Promise.all(channels.map(async ({ ownerKey, sealed }) => {
    const secret = await sealing.open(sealed);
    const channel = `The mail channel of the owner "${names.get(ownerKey)}"`;
    if (typeof secret !== "string") {
      return `${channel} was not searched: it was sealed with another RECORDS_KEY`;
    }
    const isUsed = secret.toLowerCase().split(",").some((address) => addresses.has(address));
    return isUsed ? `${channel} still uses the address: change its addresses` : [];
  }));
  return lines.flat();
}
