/** The commands and options of the command line, for the parser and the help. */
import { VERDICT_COLUMNS } from "./table_rows.ts";

/** The commands, each with its arguments and what it does. */
export const COMMANDS = {
  filesets: ["[QUERY] [options]", "search file sets"],
  history: ["ID [options]", "list the runs of a report schedule"],
  recipients: ["IDS [options]", "list who received which schedules, and since when"],
  who: ["PERSON --schedules IDS [options]", "list what a person received"],
  judge: ["IDS… [options]", "judge schedules; exit with 1 if one is down or has a critical reason"],
  assert: ["QUERY [options]", "count file sets; exit with 1 if more match than allowed"],
  check: ["[ID] [options]", "compare what the service sends with the interface"],
  evidence: ["SUBJECT [options]", "make a signed pack of evidence, or a key for it"],
  verify: [
    "PACK [options]",
    "verify a pack; exit with 1 if it is not intact, 2 if it is none",
  ],
} as const;

export type CommandName = keyof typeof COMMANDS;

export interface CommandOption {
  readonly short?: string;
  /** The placeholder for its value in the help; missing for a flag. */
  readonly value?: string;
  readonly multiple?: true;
  /** The commands that have it. Default: all. */
  readonly commands?: readonly CommandName[];
  readonly use: string;
  /** What it does in commands where that differs from `use`. */
  readonly uses?: Readonly<Partial<Record<CommandName, string>>>;
}

type TextOption =
  | ("attempts" | "calendar" | "columns" | "cron" | "format" | "grace" | "limit" | "max" | "new")
  | ("offset" | "on" | "out" | "prefetch" | "resume" | "schedules" | "service-zone")
  | ("statuses" | "skip" | "timeout" | "token-file" | "zone");
type FlagOption =
  | ("all" | "curl" | "debug" | "help" | "json" | "masked")
  | ("recipients" | "verify" | "version");

/** The values of the options on a command line. */
export type Values = Readonly<
  & Partial<Record<TextOption, string>>
  & { readonly key?: readonly string[] }
  & Partial<Record<FlagOption, boolean>>
>;

const LISTS: readonly CommandName[] = ["filesets", "history"];

export const OPTIONS: Readonly<Record<keyof Values, CommandOption>> = {
  schedules: {
    value: "IDS",
    commands: ["who"],
    use: "the schedules to read: ids and ranges, such as 101-112,120",
  },
  statuses: {
    value: "LIST",
    commands: ["recipients", "who", "judge", "evidence"],
    use:
      "what the service's statuses mean, such as archived=good,error=bad: good, bad, pending or " +
      "unknown (default: as Docket says, or plain English)",
  },
  recipients: { commands: ["history"], use: "one row for each recipient instead of each run" },
  cron: {
    value: "CRON",
    commands: ["judge"],
    use: "judge by this plan; several expressions are separated by semicolons",
  },
  zone: {
    value: "ZONE",
    commands: ["filesets", "assert", "judge", "evidence"],
    use: "the time zone in which days begin, such as Europe/Berlin (default UTC)",
    uses: { judge: "the time zone of --cron, such as Europe/Berlin (default UTC)" },
  },
  grace: {
    value: "TIME",
    commands: ["judge"],
    use: "how late a run may start under --cron, such as 20m (default 10m)",
  },
  calendar: {
    value: "FILE",
    commands: ["judge"],
    use: "days without runs, such as holidays: an iCalendar file (.ics) of all-day events",
  },
  "service-zone": {
    value: "ZONE",
    commands: ["judge"],
    use: "the zone of times that the service sends without one (default UTC)",
  },
  on: { value: "DAY", commands: ["evidence"], use: "the day for which to list recipients" },
  out: { value: "FILE", commands: ["evidence"], use: "where to write the pack" },
  masked: { commands: ["evidence"], use: "mask the addresses of recipients" },
  key: {
    value: "FILE",
    multiple: true,
    commands: ["evidence", "verify"],
    use: "sign with this private key; needed",
    uses: { verify: "trust this public key; repeatable" },
  },
  new: { value: "FILE", commands: ["evidence"], use: "make a key: FILE, and FILE.pub for others" },
  limit: { value: "N", commands: LISTS, use: "the page size (default 100)" },
  offset: { value: "N", commands: ["filesets"], use: "how many rows to skip" },
  skip: { value: "N", commands: ["history"], use: "how many rows to skip" },
  all: { commands: LISTS, use: "all rows of all pages, instead of one page" },
  max: {
    value: "N",
    commands: [...LISTS, "assert"],
    use: "write at most N rows",
    uses: { assert: "how many file sets may match (default 0)" },
  },
  columns: {
    short: "c",
    value: "A,B",
    commands: [...LISTS, "judge"],
    use: "the fields to write (default: all, but few in a table)",
    uses: {
      judge: `the table's columns, of ${VERDICT_COLUMNS.join(", ")}`,
    },
  },
  format: {
    value: "FORMAT",
    commands: [...LISTS, "recipients", "who"],
    use: "table (default), csv, ndjson or json",
  },
  json: { use: "write JSON" },
  resume: {
    value: "FILE",
    commands: LISTS,
    use: "with --all and csv or ndjson: continue from the checkpoint in FILE, and update it",
  },
  prefetch: { value: "N", commands: LISTS, use: "how many pages to request at a time (default 4)" },
  verify: { commands: LISTS, use: "overlap pages by one row, to notice missing rows" },
  curl: { commands: LISTS, use: "write the request as a curl command, and send nothing" },
  timeout: { value: "SECONDS", use: "time limit for one attempt (default 30)" },
  attempts: { value: "N", use: "the most attempts for one request (default 3)" },
  debug: { use: "report each attempt, answer and wait on standard error, without secrets" },
  "token-file": { value: "FILE", use: "read the developer token from a file" },
  help: { short: "h", use: "print this help" },
  version: { use: "print the version" },
};

export function describeOption(option: keyof Values, command: CommandName): string {
  const { use, uses } = OPTIONS[option];
  return uses?.[command] ?? use;
}

/** The names of a command's options, in the order of the help. */
export function listOptions(command: CommandName): (keyof Values)[] {
  const names = Object.keys(OPTIONS) as (keyof Values)[];
  return names.filter((name) => OPTIONS[name].commands?.includes(command) ?? true);
}

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
