import { type Command, COMMON, type Option } from "./command.ts";
import { wrapped } from "./writer.ts";

/** The help for all commands, for those that begin with a word, or for one. */
export function help(commands: Readonly<Record<string, Command>>, topic = ""): string {
  if (Object.hasOwn(commands, topic)) return commandHelp(topic, commands[topic]);
  const listed = Object.entries(commands).filter(([name]) => name.startsWith(`${topic} `));
  const entries = (listed.length > 0 ? listed : Object.entries(commands))
    .map(([name, command]): Entry => [synopsis(name, command), command.use]);
  if (listed.length > 0) return inColumns([...entries, EACH]);
  return `Docket: file sets, report histories and what a Docket knows, on the command line

${inColumns([...entries, EACH, ["docket --version", "print the version"]])}
Environment:
${inColumns(ENVIRONMENT)}
Exit codes:
${inColumns(EXIT_CODES)}`;
}

type Entry = readonly [words: string, meaning: string];

const EACH: Entry = ["docket COMMAND --help", "print the help for a command"];

const ENVIRONMENT: readonly Entry[] = [
  ["DOCKET_URL", "where the service or a Docket is"],
  ["DOCKET_TOKEN", "the token; never an argument"],
  ["DOCKET_STATUSES", "what statuses mean, as for --statuses"],
  ["SERVICE_TOKEN_HEADER", "the header that carries the token, if not the default"],
];

const EXIT_CODES: readonly Entry[] = [
  ["0", "done, and nothing is wrong"],
  [
    "1",
    "the service failed or refused; a schedule is down or has a critical reason; an incident is " +
    "open; a pack is not intact, or nobody knows its key",
  ],
  ["2", "an argument or the environment is wrong; the file to verify is no pack"],
  [
    "3",
    "not everything is known: rows changed while they were read, a schedule is missing, a " +
    "status or recipients are unknown, or a pack is incomplete",
  ],
  ["130", "interrupted"],
];

function commandHelp(name: string, command: Command): string {
  const { use, notes = "" } = command;
  const options = Object.entries<Option>({ ...command.options, ...COMMON })
    .map(([option, { value, use }]): Entry => [`--${option} ${value ?? ""}`.trim(), use]);
  const head = wrapped(`${synopsis(name, command)}: ${use}`, 2);
  return `${head}\n\n${inColumns(options)}${notes}`;
}

function synopsis(name: string, { arguments: words, options }: Command): string {
  const needed = Object.entries<Option>(options).filter(([, option]) => option.needed)
    .map(([option, { value }]) => `--${option} ${value}`);
  return ["docket", name, words, ...needed].filter(Boolean).join(" ");
}

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
