/** `deno task owner`: adds, lists, tests, renames and removes owners and their channels. */
import { formatCountOf } from "../../../lib/format.ts";
import { recordsKeys } from "../../auth/records_key.ts";
import { createSealing } from "../../auth/sealing.ts";
import { CHANNEL_KINDS, type ChannelKind, type Owner } from "../../store/observer/owners.ts";
import { printTable, runAsProgram, TaskError } from "../../store/tasks/task.ts";
import { isoText } from "../event.ts";
import {
  assignOwner,
  type OwnerIssues,
  type OwnerServices,
  renameOwner,
  saveOwner,
  testChannels,
} from "../save_owner.ts";
import { actorOf, readScheduleList, readSmallFile } from "./arguments.ts";
import { type TaskCommand, taskOf } from "./task_records.ts";

const HELP =
  `Adds, lists, tests, renames and removes owners: who is notified of schedules' incidents, and how.

deno task owner add NAME [--mail ADDRESSES] [--slack FILE] [--teams FILE] [--webhook FILE]
                         [--quiet FROM-TO --zone ZONE] [--hold-critical] [--schedules IDS]
                         [--by WHO]
deno task owner list [--json]
deno task owner test NAME
deno task owner rename OLD NEW [--by WHO]
deno task owner remove NAME [--by WHO]

--mail       addresses, separated by commas; needs SMTP_URL and MAIL_FROM
--slack      a file with the URL of a Slack incoming webhook, or - to be asked for it
--teams      a file with the URL of a Teams Workflows webhook, or -
--webhook    a file with a URL and its secret (whsec_…), or -
--quiet      hours without messages, such as 20:00-07:00, in --zone; critical ones still come,
             without --hold-critical. "off" ends them
--schedules  watched schedules that this owner gets, such as 101,105-112
--by         who does it

add changes an owner that is there: a channel stays unless it is given anew, or "off". Secrets are
sealed with RECORDS_KEY, and never shown again. rename takes the schedules along. remove says how many incidents are open: they go to
the outlets of the settings.

Exit code 0: done; 1: there is no such owner, or a test failed, or the database can't be used; 2:
something in the arguments or settings is wrong.`;

/** Adds, lists, tests, renames and removes owners. */
export const owner = taskOf(HELP, ["hold-critical", "json"], {
  add: { options: [...CHANNEL_KINDS, "quiet", "zone", "schedules", "by"], run: add },
  list: { run: list },
  test: { run: test },
  rename: { options: ["by"], takesTwo: true, run: rename },
  remove: { options: ["by"], run: remove },
});

function nameOf({ rest: [, name = ""] }: TaskCommand): string {
  if (name.trim() !== "") return name.trim();
  throw new TaskError("Give the name of an owner");
}

/** The owner that is named; reports that there is none. */
async function ownerOf(command: TaskCommand): Promise<Owner | undefined> {
  const name = nameOf(command);
  const found = await command.records.owners.get(name);
  if (!found) command.report(`There is no owner "${name}"`);
  return found;
}

function servicesOf({ records, settings }: TaskCommand): OwnerServices {
  return {
    records,
    sealing: createSealing(recordsKeys(settings)),
    settings: settings.observer,
  };
}

async function add(command: TaskCommand): Promise<number> {
  const { options, flags, records, now, print, report } = command;
  const name = nameOf(command);
  const by = { actor: actorOf(options), now };
  const scheduleIds = readScheduleList(options.schedules);
  const channels: Partial<Record<ChannelKind, string | null>> = {};
  for (const kind of CHANNEL_KINDS) {
    const value = options[kind];
    if (value === undefined) continue;
    const isSecret = kind !== "mail";
    channels[kind] = value === "off"
      ? null
      : !isSecret
      ? value
      : value === "-"
      ? await askHidden(`The ${kind} URL`)
      : await readSmallFile(value);
  }
  const { quiet, zone = "UTC" } = options;
  const [from = "", to = ""] = quiet?.split("-") ?? [];
  const issues: OwnerIssues = await saveOwner(servicesOf(command), {
    ...{ name, channels },
    ...quiet !== undefined && {
      quiet: quiet === "off" ? null : { from, to, zone, holdsCritical: flags["hold-critical"] },
    },
  }, by);
  const lines = Object.entries(issues).map(([field, issue]) => `--${field} ${issue}`);
  if (lines.length > 0) throw new TaskError(lines.join("\n"));
  const unwatched = await assignOwner(records, scheduleIds, name, by);
  print(`Saved ${name}`);
  if (unwatched.length > 0) report(`Not watched, so not given: ${unwatched.join(", ")}`);
  return 0;
}

async function list({ flags, records, context, print, report }: TaskCommand): Promise<number> {
  const owners = await records.owners.list();
  if (flags.json) {
    print(JSON.stringify(owners.map(({ name, quiet, channels, changed, actor }) => ({
      ...{ name, quiet, changed: isoText(changed), by: actor.name },
      channels: channels.map(({ kind, shown }) => ({ kind, shown })),
    }))));
    return 0;
  }
  if (owners.length === 0) report("There are no owners: deno task owner add NAME");
  printTable([
    ["NAME", "CHANNELS", "QUIET HOURS"],
    ...owners.map(({ name, quiet, channels }) => [
      name,
      channels.map(({ kind, shown }) => `${kind} (${shown})`).join(", ") || "none",
      quiet ? `${quiet.from}-${quiet.to} ${quiet.zone}` : "",
    ]),
  ], context);
  return 0;
}

async function test(command: TaskCommand): Promise<number> {
  const { origin, now, print, report } = command;
  const found = await ownerOf(command);
  if (!found) return 1;
  const results = await testChannels(servicesOf(command), found, { now, origin });
  if (results.length === 0) report(`${found.name} has no channels`);
  for (const { kind, error } of results) {
    if (error === null) print(`Sent a test by ${kind}`);
    else report(`The test by ${kind} failed: ${error}`);
  }
  return results.length > 0 && results.every(({ error }) => error === null) ? 0 : 1;
}

async function rename(command: TaskCommand): Promise<number> {
  const { records, options, rest: [, , name = ""], now, print } = command;
  const found = await ownerOf(command);
  if (!found) return 1;
  const issue = await renameOwner(records, found.name, name, { actor: actorOf(options), now });
  if (issue) throw new TaskError(`The new name ${issue}`);
  print(`Renamed ${found.name} to ${name}`);
  return 0;
}

async function remove(command: TaskCommand): Promise<number> {
  const { records: { owners }, now, print } = command;
  const found = await ownerOf(command);
  if (!found) return 1;
  const open = (await owners.schedules()).get(found.key)?.open ?? 0;
  await owners.remove(found.name, now);
  print(`Removed ${found.name}`);
  const words = formatCountOf(open, "open incident goes", "open incidents go");
  if (open > 0) print(`${words} to the default outlets`);
  return 0;
}

/** Asks for a secret without showing it; reads all of the input if it is no terminal. */
async function askHidden(question: string): Promise<string> {
  const { stdin } = Deno;
  if (!stdin.isTerminal()) return (await new Response(stdin.readable).text()).trim();
  await Deno.stderr.write(new TextEncoder().encode(`${question}: `));
  stdin.setRaw(true, { cbreak: true });
  try {
    let text = "";
    for await (const chunk of stdin.readable.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (/[\r\n]/.test(text)) break;
    }
    return text.trim();
  } finally {
    stdin.setRaw(false);
    console.error();
  }
}

if (import.meta.main) await runAsProgram(owner);
