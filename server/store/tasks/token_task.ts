/**
 * `deno task token`: makes, lists and revokes developer tokens of the embedded service, and ends the
 * sessions of everybody who signed in.
 */
import { endOfEverySession } from "../../auth/sessions.ts";
import { openStore } from "../open.ts";
import type { Store } from "../store.ts";
import { textIssue } from "../text.ts";
import type { TokenInfo } from "../tokens.ts";
import {
  type Arguments,
  ownServiceSettings,
  printTable,
  runAsProgram,
  settingsFor,
  type Task,
  type TaskContext,
  TaskError,
} from "./task.ts";

const HELP = `Makes, lists and revokes developer tokens of the embedded service, and ends sessions.

deno task token add NAME      makes a token and prints it once; only its hash is stored
deno task token list          lists all tokens with when they were made, last used and revoked
deno task token revoke NAME   revokes a token: it is no longer accepted
deno task token end-sessions  signs everybody out of the console; tokens stay as they are`;

export const token: Task = { help: HELP, rest: 2, run };

async function run({ rest: [action, name] }: Arguments, context: TaskContext): Promise<number> {
  const work = { add, list, revoke, "end-sessions": endSessions }[action ?? ""];
  if (!work) {
    throw new TaskError("Use add NAME, list, revoke NAME, or end-sessions; see --help");
  }
  if ((work === list || work === endSessions) && name !== undefined) {
    throw new TaskError(`${action} takes no name`);
  }
  if (work === endSessions && settingsFor(context).serviceBaseUrl !== null) {
    throw new TaskError(
      "With SERVICE_BASE_URL, sessions can't be ended here: replace the session key",
    );
  }
  await using store = await openStore(ownServiceSettings(context));
  await work(store, name, context);
  return 0;
}

async function add(store: Store, name: string | undefined, context: TaskContext): Promise<void> {
  const made = await store.tokens.add(checked(name), context.now());
  if (made === undefined) {
    throw new TaskError(
      `There is already a token named "${name}", or a revoked one: choose another name`,
    );
  }
  context.print(made);
}

async function list(store: Store, _: string | undefined, context: TaskContext): Promise<void> {
  const tokens = await store.tokens.list();
  const rows = tokens.map(({ name, created, lastUsed, revoked }: TokenInfo) => [
    name,
    toMinute(created),
    lastUsed === undefined ? "never" : toMinute(lastUsed),
    revoked === undefined ? "" : toMinute(revoked),
  ]);
  printTable([["NAME", "CREATED", "LAST USED", "REVOKED"], ...rows], context);
}

/** A date-time to the minute, in UTC, as `watch list` prints it. */
function toMinute(dateTime: string): string {
  return `${dateTime.slice(0, 16)}Z`;
}

async function revoke(store: Store, name: string | undefined, context: TaskContext): Promise<void> {
  if (!await store.tokens.revoke(checked(name), context.now())) {
    throw new TaskError(`There is no token named "${name}" to revoke`);
  }
  context.print(`Revoked "${name}"`);
}

async function endSessions(
  store: Store,
  _: string | undefined,
  context: TaskContext,
): Promise<void> {
  const now = context.now().getTime();
  await store.endedSessions.add(endOfEverySession(now), now);
  context.print("Ended every session");
}

function checked(name: string | undefined): string {
  if (name === undefined || name.trim() === "") throw new TaskError("Give the token a name");
  const issue = textIssue(name) ?? (name.length > 100 ? "must have at most 100 characters" : "");
  if (issue) throw new TaskError(`The name ${issue}`);
  return name;
}

if (import.meta.main) await runAsProgram(token);
