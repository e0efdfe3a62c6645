/** `deno task token`: creates, lists and revokes developer tokens, and ends sessions. */
import { endOfEverySession } from "../../auth/sessions.ts";
import { openStore } from "../open.ts";
import { textIssue } from "../text.ts";
import {
  type Arguments,
  embeddedServiceSettings,
  printTable,
  runAsProgram,
  settingsFor,
  type Task,
  type TaskContext,
  TaskError,
} from "./task.ts";

const HELP =
  `Creates, lists and revokes developer tokens of the embedded service, and ends sessions.

deno task token add NAME      creates a token and prints it once; only its hash is stored
deno task token list          lists all tokens, and when they were created, last used and revoked
deno task token revoke NAME   revokes a token: it is no longer accepted
deno task token end-sessions  signs everybody out of the console; tokens stay valid`;

export const token: Task = { help: HELP, rest: 2, run };

async function run({ rest: [action, name] }: Arguments, context: TaskContext): Promise<number> {
  if (!["add", "list", "revoke", "end-sessions"].includes(action)) {
    throw new TaskError("Use add NAME, list, revoke NAME, or end-sessions; see --help");
  }
  const takesName = action === "add" || action === "revoke";
  if (!takesName && name !== undefined) throw new TaskError(`${action} takes no name`);
  if (action === "end-sessions" && settingsFor(context).serviceBaseUrl !== null) {
    throw new TaskError(
      "With SERVICE_BASE_URL, sessions can't be ended here: replace the session key",
    );
  }
  const tokenName = takesName ? checkedName(name) : "";
  await using store = await openStore(embeddedServiceSettings(context));
  const now = context.now();
  switch (action) {
    case "add": {
      const created = await store.tokens.add(tokenName, now);
      if (created === undefined) {
        throw new TaskError(
          `There is already a token named "${name}", or a revoked one: choose another name`,
        );
      }
      context.print(created);
      break;
    }
    case "list": {
      const rows = (await store.tokens.list()).map(({ name, created, lastUsed, revoked }) => [
        name,
        toMinute(created),
        lastUsed === null ? "never" : toMinute(lastUsed),
        revoked === null ? "" : toMinute(revoked),
      ]);
      printTable([["NAME", "CREATED", "LAST USED", "REVOKED"], ...rows], context);
      break;
    }
    case "revoke":
      if (!await store.tokens.revoke(tokenName, now)) {
        throw new TaskError(`There is no token named "${name}" to revoke`);
      }
      context.print(`Revoked "${name}"`);
      break;
    default:
      await store.endedSessions.add(endOfEverySession(now.getTime()), now.getTime());
      context.print("Ended every session");
  }
  return 0;
}

function toMinute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`;
}

function checkedName(name: string | undefined): string {
  if (!name?.trim()) throw new TaskError("The name of a token is missing");
  const issue = textIssue(name) ?? (name.length > 100 ? "must have at most 100 characters" : "");
  if (issue) throw new TaskError(`The name ${issue}`);
  return name;
}

if (import.meta.main) await runAsProgram(token);
