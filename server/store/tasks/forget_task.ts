/** `deno task forget`: erases a person's address and name from Docket's databases. */
import { existsSync } from "node:fs";
import { formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { recordsKeys } from "../../config/data_folder.ts";
import { isAddress } from "../../config/observer_settings.ts";
import { createSealing } from "../../auth/sealing.ts";
import { isProblemError } from "../../http/problem.ts";
import { type Erasure, forgetPerson, rewriteFile } from "../people/forget.ts";
import { DATABASE_FILE, RECORDS_FILE } from "../open.ts";
import {
  type Arguments,
  docketFor,
  openForTask,
  settingsFor,
  type Task,
  type TaskContext,
  TaskError,
} from "./task.ts";

const HELP = `Erases a person's address and name from Docket's databases.

deno task forget PERSON

PERSON is an address or a user id. Runs that listed the person, and such runs that are read later,
list a "forgotten person" instead. In other texts, the name is erased if it has two words or more.
Owners' mail channels lose the address, and the task names the owners. It can't reach backups, sent
messages, and evidence packs that were handed out. A Docket at DOCKET_URL does it itself, if it
serves the database; DOCKET_TOKEN must be an operator's.`;

export const forget: Task = { help: HELP, rest: 1, run };

/** The databases in the data folder: with the embedded service, and with an upstream. */
const FILES = [DATABASE_FILE, RECORDS_FILE];

async function run({ rest: [text] }: Arguments, context: TaskContext): Promise<number> {
  const person = wholeNumber(text ?? "") ?? text;
  if (person === undefined || typeof person === "string" && !isAddress(person)) {
    throw new TaskError("Use an address or a user id; see --help");
  }
  const settings = settingsFor(context);
  const files = settings.databaseUrl
    ? FILES.slice(0, 1)
    : FILES.filter((file) => existsSync(`${settings.dataDir}/${file}`));
  const docket = docketFor(settings, context);
  const erasures: Erasure[] = [];
  const databases = await openForTask(settings, context, files, docket);
  try {
    for (const database of databases) {
      // The Docket that serves it writes it itself.
      const isServed = await docket?.serves(database) ?? false;
      erasures.push(
        isServed
          ? await docket!.post<Erasure>("people/forgotten", { person })
          : await forgetPerson(database, person, createSealing(recordsKeys(settings))),
      );
      await rewriteFile(database);
    }
  } catch (error) {
    if (!isProblemError(error) || error.problem.status !== 409) throw error;
    throw new TaskError(error.message);
  } finally {
    for (const database of databases) await database.close();
  }
  const sum = (count: (each: Erasure) => number) =>
    erasures.reduce((total, each) => total + count(each), 0);
  const [runs, others] = [sum((each) => each.runs), sum(({ tables }) => tables)];
  const channels = erasures.flatMap((each) => each.channels);
  context.print(
    `Erased from ${formatCountOf(runs, "run", "runs")} and from ` +
      `${formatCountOf(others, "other table", "other tables")}. ` +
      "Runs that are read later will list a forgotten person",
  );
  for (const line of channels) context.report(line);
  if (erasures.some(({ isShared }) => isShared)) {
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
