/** `deno task token`: creates, lists and revokes Docket tokens. */
import { DATABASE_FILE, RECORDS_FILE } from "../open.ts";
import { storeOn } from "../store.ts";
import { layOutRows, terminalText } from "../../../lib/terminal.ts";
import { textIssue } from "../../http/shape.ts";
import { MAX_CHARACTERS } from "../text.ts";
import {
  type Arguments,
  openForTask,
  settingsFor,
  type Task,
  type TaskContext,
  TaskError,
} from "./task.ts";

const HELP = `Creates, lists and revokes Docket tokens. Whoever has one signs in and uses the
API under its name. In front of an upstream service, Docket reads it with
OBSERVER_TOKEN.

deno task token add NAME     creates a token and prints it once; only its hash
                             is stored
    --reader                 it sees what Docket records (default)
    --operator               it also changes what everybody sees
deno task token list         lists all tokens, and when they were created, last
                             used and revoked
deno task token revoke NAME  revokes a token: it is no longer accepted`;

export const token: Task = { help: HELP, flags: ["reader", "operator"], rest: 2, run };

async function run(
  { rest: [action, name], flags }: Arguments,
  context: TaskContext,
): Promise<number> {
  const takesName = action === "add" || action === "revoke";
  const roles = Number(flags.reader ?? 0) + Number(flags.operator ?? 0);
  if (
    !takesName && action !== "list" || takesName !== (name !== undefined) ||
    roles > (action === "add" ? 1 : 0)
  ) {
    throw new TaskError(
      "Use add NAME, with --reader or --operator, list, or revoke NAME; see --help",
    );
  }
  const settings = settingsFor(context);
  const tokenName = takesName ? checkedName(name) : "";
  const file = settings.serviceBaseUrl === null ? DATABASE_FILE : RECORDS_FILE;
  const [database] = await openForTask(settings, context, [file]);
  await using store = storeOn(database);
  const now = context.now();
  switch (action) {
    case "add": {
      const created = await store.tokens.add(
        tokenName,
        flags.operator ? "operator" : "reader",
        now,
      );
      if (created === undefined) {
        throw new TaskError(
          `There is already a token named "${name}", or a revoked one: choose another name`,
        );
      }
      context.print(created);
      if (settings.serviceBaseUrl !== null && settings.observer.token === null) {
        context.report(
          "Nobody can use it until OBSERVER_TOKEN is set: Docket reads the service with it",
        );
      }
      break;
    }
    case "list": {
      const listed = (await store.tokens.list()).map((
        { name, role, created, lastUsed, revoked },
      ) => [
        terminalText(name),
        role,
        toMinute(created),
        lastUsed === null ? "never" : toMinute(lastUsed),
        revoked === null ? "" : toMinute(revoked),
      ]);
      const rows = [["NAME", "ROLE", "CREATED", "LAST USED", "REVOKED"], ...listed];
      for (const line of rows.map(layOutRows(rows).lineOf)) context.print(line);
      break;
    }
    case "revoke":
      if (!await store.tokens.revoke(tokenName, now)) {
        throw new TaskError(`There is no token named "${name}" to revoke`);
      }
      context.print(`Revoked "${name}"`);
  }
  return 0;
}

function toMinute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`;
}

function checkedName(name: string): string {
  if (name.trim() === "") throw new TaskError("The name of a token is missing");
  const issue = textIssue(name, MAX_CHARACTERS.name);
  if (issue) throw new TaskError(`The name ${issue}`);
  return name;
}
