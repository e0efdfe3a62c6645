/** `deno task forget`: erases a person's address and name from Docket's databases. */
import { existsSync } from "node:fs";
import { formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { recordsKeys } from "../../config/data_folder.ts";
import { createSealing } from "../../auth/sealing.ts";
import type { Settings } from "../../config/settings.ts";
import { ownersOn } from "../records/owners.ts";
import { AmbiguousPersonError, forgetPerson } from "../people/forget.ts";
import { DATABASE_FILE, RECORDS_FILE } from "../open.ts";
import {
  type Arguments,
  runAsProgram,
  settingsFor,
  type Task,
  type TaskContext,
  TaskError,
} from "./task.ts";
import { openForTask } from "./task_database.ts";

const HELP = `Erases a person's address and name from Docket's databases.

deno task forget PERSON

PERSON is an address or a user id. Runs that listed the person, and such runs that are read later,
list a "forgotten person" instead. In other texts, the name is erased if it has two words or more.
Owners' mail channels stay: change those that the task names. The task can't reach backups, sent
messages, and evidence packs that were handed out.`;

export const forget: Task = { help: HELP, rest: 1, run };

/** The databases in the data folder: with the embedded service, and with an upstream. */
const FILES = [DATABASE_FILE, RECORDS_FILE];

async function run({ rest: [text] }: Arguments, context: TaskContext): Promise<number> {
  const person = wholeNumber(text ?? "") ?? text;
  if (person === undefined || typeof person === "string" && !/^\S+@\S+$/.test(person)) {
    throw new TaskError("Use an address or a user id; see --help");
  }
  const settings = settingsFor(context);
  const files = settings.databaseUrl
    ? FILES.slice(0, 1)
    : FILES.filter((file) => existsSync(`${settings.dataDir}/${file}`));
  let [runs, others] = [0, 0];
  const channels: string[] = [];
  let isShared = false;
  const databases = await openForTask(settings, context, files);
  try {
    for (const database of databases) {
      const erased = await forgetPerson(database, person);
      runs += erased.runs;
      others += erased.tables.length;
      isShared ||= erased.isShared;
      channels.push(...await channelsWith(erased.addresses, ownersOn(database), settings));
    }
  } catch (error) {
    if (!(error instanceof AmbiguousPersonError)) throw error;
    throw new TaskError(error.message);
  } finally {
    for (const database of databases) await database.close();
  }
  context.print(
    `Erased from ${formatCountOf(runs, "run", "runs")} and from ` +
      `${formatCountOf(others, "other table", "other tables")}. ` +
      "Runs that are read later will list a forgotten person",
  );
  for (const line of channels) context.report(line);
  if (isShared) {
    context.report(
      "Somebody else is listed with an address or a name of this person: that one stays",
    );
  }
  if ([runs, others, channels.length].every((count) => count === 0)) {
    context.report(`Nothing was found about ${text}: check the spelling`);
  }
  context.print("Backups, sent messages and evidence packs that were handed out are unchanged");
  return 0;
}

/** What to do about owners' mail channels with one of these addresses. */
async function channelsWith(
  addresses: ReadonlySet<string>,
  owners: ReturnType<typeof ownersOn>,
  settings: Settings,
): Promise<string[]> {
  const channels = (await owners.sealedChannels()).filter(({ kind }) => kind === "mail");
  if (channels.length === 0) return [];
  const names = new Map((await owners.list()).map(({ key, name }) => [key, name]));
  const sealing = createSealing(recordsKeys(settings));
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

if (import.meta.main) await runAsProgram(forget);
