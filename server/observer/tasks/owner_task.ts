/** `deno task owner`: adds, lists, tests, renames and removes owners and their channels. */
import { formatCountOf } from "../../../lib/format.ts";
import { recordsKeys } from "../../config/data_folder.ts";
import { createSealing } from "../../auth/sealing.ts";
import { CHANNEL_KINDS, type ChannelKind, type Owner } from "../../store/records/owners.ts";
import { runAsProgram, TaskError } from "../../store/tasks/task.ts";
import { isoText } from "../event.ts";
import {
  assignOwner,
  type OwnerIssues,
  type OwnerServices,
  saveOwner,
  testChannels,
} from "../save_owner.ts";
import { readScheduleList, readSmallFile } from "./arguments.ts";
import { printList, refuse, type TaskCommand, taskOf } from "./task_records.ts";

const HELP =
  `Adds, lists, tests, renames and removes owners, who are notified of incidents of their schedules.

deno task owner add NAME [--mail ADDRESSES] [--slack FILE] [--teams FILE] [--webhook FILE]
                         [--quiet FROM-TO --zone ZONE] [--hold-critical] [--schedules IDS]
                         [--by WHO]
deno task owner list [--json]
deno task owner test NAME
deno task owner rename OLD NEW [--by WHO]
deno task owner remove NAME [--by WHO]

--mail       addresses, separated by commas; needs SMTP_URL and MAIL_FROM
--slack      a file with the URL of a Slack incoming webhook, or - to enter it
--teams      a file with the URL of a Teams Workflows webhook, or -
--webhook    a file with a URL and its secret (whsec_…), or -
--quiet      hours without messages, such as 20:00-07:00, in --zone (default: UTC); critical ones
             are still sent, unless you add --hold-critical. "off" removes them
--schedules  watched schedules to assign to this owner, such as 101,105-112
--by         your name, for the record

add changes an existing owner: a channel stays unless you set it again, or to "off". Secrets are
sealed with RECORDS_KEY, and never shown again. rename also renames the owner of its schedules.
remove prints how many incidents are open: they go to the default outlets, those in the settings.

Exit code 0: done; 1: there is no such owner, a test failed, or the database can't be used; 2: an
argument or a setting is wrong.`;

export const owner = taskOf(HELP, ["hold-critical", "json"], {
  add: {
    options: [...CHANNEL_KINDS, "quiet", "zone", "hold-critical", "schedules", "by"],
    run: add,
  },
  list: { rest: 0, run: list },
  test: { run: test },
  rename: { options: ["by"], rest: 2, run: rename },
  remove: { options: ["by"], run: remove },
});

function nameOf({ id }: TaskCommand): string {
  if (id.trim() === "") throw new TaskError("The name of an owner is missing");
  return id.trim();
}

async function ownerOf(command: TaskCommand): Promise<Owner> {
  const name = nameOf(command);
  return await command.records.owners.get(name) ?? refuse(`There is no owner "${name}"`);
}

function servicesOf({ records, settings }: TaskCommand): OwnerServices {
  const sealing = createSealing(recordsKeys(settings));
  return { records, sealing, settings: settings.observer };
}

async function add(command: TaskCommand): Promise<void> {
  const { options, flags, records, print, report } = command;
  const name = nameOf(command);
  const scheduleIds = readScheduleList(options.schedules);
  const channels: Partial<Record<ChannelKind, string | null>> = {};
  for (const kind of CHANNEL_KINDS) {
    const value = options[kind];
    if (value === "off") channels[kind] = null;
    else if (kind === "mail") channels[kind] = value;
    else if (value === "-") channels[kind] = await askHidden(`The ${kind} URL`);
    else if (value !== undefined) channels[kind] = await readSmallFile(value);
  }
  const { quiet, zone = "UTC" } = options;
  if (quiet === undefined && (options.zone !== undefined || flags["hold-critical"])) {
    throw new TaskError("--zone and --hold-critical need --quiet");
  }
  const [from, to = ""] = (quiet ?? "").split("-");
  const hours = { from, to, zone, holdsCritical: flags["hold-critical"] };
  const issues: OwnerIssues = await saveOwner(servicesOf(command), {
    name,
    channels,
    ...quiet !== undefined && { quiet: quiet === "off" ? null : hours },
  }, command);
  const lines = Object.entries(issues).map(([field, issue]) => `--${field} ${issue}`);
  if (lines.length > 0) throw new TaskError(lines.join("\n"));
  const unwatched = await assignOwner(records, scheduleIds, name, command);
  print(`Saved ${name}`);
  if (unwatched.length > 0) report(`Not watched, so without this owner: ${unwatched.join(", ")}`);
}

async function list(command: TaskCommand): Promise<void> {
  const owners = await command.records.owners.list();
  printList(command, {
    json: owners.map(({ name, quiet, channels, changed, actor }) => ({
      name,
      quiet,
      changed: isoText(changed),
      by: actor.name,
      channels: channels.map(({ kind, hint }) => ({ kind, hint })),
    })),
    headings: ["NAME", "CHANNELS", "QUIET HOURS"],
    rows: owners.map(({ name, quiet, channels }) => [
      name,
      channels.map(({ kind, hint }) => `${kind} (${hint})`).join(", ") || "none",
      quiet ? `${quiet.from}-${quiet.to} ${quiet.zone}` : "",
    ]),
    none: "There are no owners: deno task owner add NAME",
  });
}

async function test(command: TaskCommand): Promise<number> {
  const found = await ownerOf(command);
  const results = await testChannels(servicesOf(command), found, command);
  if (results.length === 0) refuse(`${found.name} has no channels`);
  for (const { kind, error } of results) {
    if (error === null) command.print(`Sent a test by ${kind}`);
    else command.report(`The test by ${kind} failed: ${error}`);
  }
  return results.every(({ error }) => error === null) ? 0 : 1;
}

async function rename(command: TaskCommand): Promise<void> {
  const { name } = await ownerOf(command);
  const to = command.more;
  const { owner: issue } = await saveOwner(
    servicesOf(command),
    { name, to, channels: {} },
    command,
  );
  if (issue) throw new TaskError(`The new name ${issue}`);
  command.print(`Renamed ${name} to ${to}`);
}

async function remove(command: TaskCommand): Promise<void> {
  const { records: { owners }, print } = command;
  const found = await ownerOf(command);
  const open = (await owners.schedules()).get(found.key)?.open ?? 0;
  await owners.remove(found.name, command);
  print(`Removed ${found.name}`);
  const words = formatCountOf(open, "open incident goes", "open incidents go");
  if (open > 0) print(`${words} to the default outlets`);
}

/** Asks for a secret without showing it; reads the whole input if it is not a terminal. */
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
