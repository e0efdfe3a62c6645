import { type CommandName, COMMANDS, describeOption, listOptions, OPTIONS } from "./options.ts";
import { wrapped } from "./table.ts";

export function help(topic?: string): string {
  return topic !== undefined && Object.hasOwn(COMMANDS, topic)
    ? commandHelp(topic as CommandName)
    : overview();
}

function overview(): string {
  const commands = Object.entries(COMMANDS).map(([name, [args, use]]): Entry => [
    `docket ${name} ${args}`,
    use,
  ]);
  return `Docket: file sets and report histories, from the command line

${
    inColumns([
      ...commands,
      ["docket COMMAND --help", "print the help for a command"],
      ["docket --version", "print the version"],
    ])
  }
Environment:
${inColumns(ENVIRONMENT)}
Exit codes:
${inColumns(EXIT_CODES)}`;
}

const ENVIRONMENT: readonly Entry[] = [
  ["DOCKET_URL", "where the service or a Docket server is"],
  ["DOCKET_TOKEN", "the developer token; never an argument"],
  ["DOCKET_STATUSES", "what statuses mean, as for --statuses"],
  ["SERVICE_TOKEN_HEADER", "the header that carries the token, if not the default"],
  ["NO_COLOR", "if set, no colour"],
];

const EXIT_CODES: readonly Entry[] = [
  ["0", "all requested rows were read, and every assertion holds"],
  [
    "1",
    "the service could not be reached, or its answer could not be used; a schedule is down or " +
    "has a critical reason; an assertion or a pack does not hold",
  ],
  ["2", "an argument or the environment is wrong"],
  [
    "3",
    "every page was read, but rows changed meanwhile or contradict the service: some may be " +
    "missing or listed twice; runs with an unknown status were left out; a pack is incomplete",
  ],
  ["4", "the service rejected the token"],
  [
    "5",
    "judge, recipients, who: the service lacks one of the schedules, and nothing else is wrong; " +
    "or no run lists the person",
  ],
  ["130", "interrupted"],
];

function commandHelp(name: CommandName): string {
  const [args, use] = COMMANDS[name];
  const options = listOptions(name).map((option): Entry => {
    const { short, value } = OPTIONS[option];
    const head = `${short ? `-${short}, ` : ""}--${option}${value ? ` ${value}` : ""}`;
    return [head, describeOption(option, name)];
  });
  return `${wrapped(`docket ${name} ${args}: ${use}`, 2)}\n\n${inColumns(options)}${NOTES[name]}`;
}

type Entry = readonly [words: string, meaning: string];

/** Wider words get a line of their own. */
const WIDEST = 34;

function inColumns(entries: readonly Entry[]): string {
  const width = Math.max(
    ...entries.map(([words]) => words.length).filter((length) => length <= WIDEST),
  );
  const lines = entries.map(([words, meaning]) => {
    const indent = width + 4;
    const head = words.length > width ? `${words}\n  `.padEnd(words.length + indent + 1) : "";
    return `  ${head || words.padEnd(width + 2)}${wrapped(meaning, indent)}\n`;
  });
  return lines.join("");
}

const NOTES: Readonly<Record<CommandName, string>> = {
  filesets: `
A QUERY is what you type in the console's search, in quotes. All its parts must
match:
  payroll, "annual payroll"          the name contains it
  owner:Finance,Legal                the field has one of the values
  owner:~fin                         the field contains it
  files:>100, files:10..20           numbers
  updated:last-month, created:2026   dates, in the days of --zone
  no:description                     the field has no value
  -permission:READ                   a hyphen negates
  sort:-updated,name                 sort keys, descending with a hyphen

With --resume, append to the file: >> rows.csv

Examples:
  docket filesets 'owner:Logistics -permission:READ updated:last-month payroll'
  docket filesets --all --format csv --columns id,name,fileCount > filesets.csv
  docket filesets --all --format ndjson --resume place.json >> filesets.ndjson
`,
  history: `
Examples:
  docket history 101 --all --format csv > runs.csv
  docket history 101 --all --recipients --format csv > recipients.csv
  docket history 101 --all --format ndjson | jq 'select(.status == "failure")'
`,
  recipients: `
IDS are ids and ranges. Reads each history whole. Lists every person: the starts
of the first and the last successful run that listed them, the number of such
runs, and whether the latest successful run lists them. A person is a user id,
or else an address. Exits with 3 if runs with an unknown status were left out.

Example:
  docket recipients 101-112 --format csv > recipients.csv
`,
  who: `
PERSON is an address or a user id. Lists the same as recipients, but only for
this person. Exits with 5 if no run lists them.

Example:
  docket who rowan.pike@partner.example.net --schedules 101,105,110-112
`,
  judge: `
IDS are ids and ranges. Infers from at most 1,000 runs when each schedule is
due, and shows the worst of these headlines that applies: failing, overdue,
empty, outside, unknown, missed, changed, flaky, late, healthy or new. Writes a
line for each reason, with its start and the number of runs that show it. With
--cron, infers nothing and uses that plan for all schedules. Exits with 1 if a
schedule is down (failing or overdue) or has a critical reason. If a schedule
can't be read, reports that and judges the others. Exits with 5 if the service
lacks one and nothing else is wrong, and with 3 if nobody knows what the status
of a newest run means.

Examples:
  docket judge 101-112 120
  docket judge 101 --statuses archived=good,in_doubt=bad
  docket judge 101 --cron '0 6 * * *' --zone UTC --grace 20m
  docket judge 101 --columns scheduleId,headline,plan,next
  docket judge 101 --json | jq -r '.[].headline'
`,
  assert: `
A QUERY is written as for filesets. If more file sets match than --max allows,
lists the first ten and exits with 1.

Example:
  docket assert permission:EDIT -owner:Marketing --max 3
`,
  evidence: `
A SUBJECT is one of these. Each list is read twice, and the pack says whether it
is complete. It is a ZIP that sha256sum and openssl verify: docs/evidence.md.
  filesets QUERY --out FILE           the file sets that match
  history ID --out FILE               the runs of a report schedule
  recipients IDS --on DAY --out FILE  who was on the lists of schedules, such as
                                      101-112, on a day
  key --new FILE                      a new key to sign with

Exits with 3 if the pack is incomplete.

Examples:
  docket evidence key --new audit.key
  docket evidence filesets permission:READ --out q3.zip --key audit.key
  docket evidence recipients 101-112 --on 2026-09-30 --out a.zip --key audit.key
`,
  verify: `
Checks a pack of evidence offline, as sha256sum and openssl do. Exits with 0 if
it is intact and signed by a key that you trust, even if it is incomplete; with
1 if not, and with 2 if it is no pack. The last line says if it is complete.

Example:
  docket verify q3.zip --key audit.key.pub --json | jq .complete
`,
  check: `
Requests one page of file sets and, if ID is given, of the history of that
report schedule. Lists every field with the types found and how often it is
missing, but no values. Exits with 1 if Docket can't work with the answer.

Example:
  docket check 101
`,
};
