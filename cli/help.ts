/**
 * What `--help` says.
 *
 * @module
 */

import { type CommandName, COMMANDS, OPTIONS, optionsOf } from "./options.ts";

/**
 * The help for the whole program, or for one command.
 *
 * @param topic Name of the command.
 * @returns The text.
 */
export function help(topic?: string): string {
  return topic !== undefined && Object.hasOwn(COMMANDS, topic)
    ? commandHelp(topic as CommandName)
    : overview();
}

function overview(): string {
  const commands = Object.entries(COMMANDS).map(([name, [args, use]]) =>
    `  ${`docket ${name} ${args}`.padEnd(34)}${use}\n`
  );
  return `Docket: file sets and report histories, from the command line

${commands.join("")}  docket completion bash|zsh|fish   completion for a shell
  docket schema COMMAND             the JSON schema of what a command writes with --json
  docket COMMAND --help             everything about a command
  docket --version                  the version of this program

Environment:
  DOCKET_URL             where the service or a Docket server is
  DOCKET_TOKEN           the developer token; never an argument
  SERVICE_TOKEN_HEADER   name of the token's header, when it is another one
  DOCKET_PROFILE         a service of the configuration file, as --profile
  DOCKET_CONFIG          the configuration file (default ~/.config/docket/config.json, mode 600):
                         { "profiles": { "NAME": { "url": "…", "token": "…" } } }
  NO_COLOR               when set, no colour

Exit codes:
  0    every row that was asked for is there, and every assertion holds
  1    the service could not be reached, or answered something unusable; a schedule is down; an
       assertion does not hold
  2    the words or the environment can't be used
  3    every page was read, but rows changed meanwhile or contradict the service: some may be
       missing or listed twice
  4    the service refused the token
  130  interrupted
`;
}

function commandHelp(name: CommandName): string {
  const [args, use] = COMMANDS[name];
  const options = optionsOf(name).map((option) => {
    const { use } = OPTIONS[option];
    return `  ${head(option).padEnd(36)} ${use}\n`;
  });
  return `docket ${name} ${args}: ${use}\n\n${options.join("")}${NOTES[name]}`;
}

function head(name: string): string {
  const { short, value } = OPTIONS[name];
  return `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
}

const NOTES: Readonly<Record<CommandName, string>> = {
  filesets: `
The words are those of Docket's URLs. In a value, write %2C for a comma. Append to what --resume
continues: >> rows.csv

Examples:
  docket filesets --filter owner:EQUALS:ann --sort updated:DESC
  docket filesets --filter '!permission:EQUALS:READ' --date created:2026-01-01T00:00:00Z..
  docket filesets --all --format csv --columns id,name,fileCount > filesets.csv
  docket filesets --all --format ndjson --resume place.json >> filesets.ndjson
`,
  history: `
Examples:
  docket history 101
  docket history 101 --all --format csv > runs.csv
  docket history 101 --all --recipients --format csv > recipients.csv
  docket history 101 --all --format ndjson | jq 'select(.status == "failure") | .startTime'
`,
  judge: `
Infers when each schedule should run from its runs, up to 1,000 of them, and says whether it is up,
late, down, unknown or new, with the reasons. --cron says when they should run, for all of them.
Ends with 1 when one of them is down.

Examples:
  docket judge 101 102 103
  docket judge 101 --cron '0 6 * * 1-5' --zone Europe/Berlin --grace 20m
  docket judge 101 --json | jq -r '.[].state'
`,
  assert: `
A FILTER is written as for filesets --filter; all of them must match. Ends with 1 when more file sets
match than --max allows, and lists the first ten.

Examples:
  docket assert owner:EQUALS:nobody
  docket assert permission:EQUALS:PUBLIC '!owner:EQUALS:press' --max 3
`,
  check: `
Asks for one page of file sets, and of the history of report schedule ID when it is given. Writes
every field with the types that came and how often it is missing, but no values. Ends with 1 when
Docket could not work with what came.

Examples:
  docket check
  docket check 101
`,
};
