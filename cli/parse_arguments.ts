import { parseArgs } from "node:util";
import { FILE_SET_QUERY, queryField } from "../lib/search/query_table.ts";
import { UsageError } from "./command.ts";
import {
  type CommandName,
  COMMANDS,
  isCommand,
  listOptions,
  OPTIONS,
  type Values,
} from "./options.ts";
import { suggestion } from "../lib/terminal.ts";

/** Splits arguments into options and positionals. Throws a UsageError that says what is wrong. */
export function parseArguments(
  args: readonly string[],
): { values: Values; positionals: string[] } {
  if (args.some((argument) => /^--?token(=|$)/.test(argument))) {
    throw new UsageError(
      "A token is never an argument, where others could read it: set DOCKET_TOKEN, or use --token-file",
    );
  }
  const takesQuery = args.some((argument) => /^(filesets|assert|evidence)$/.test(argument));
  const options = Object.fromEntries(
    Object.entries(OPTIONS).map(([name, option]) => {
      const type: "boolean" | "string" = option.value === undefined ? "boolean" : "string";
      return [name, { ...option, type }];
    }),
  );
  try {
    const { values, positionals } = parseArgs({
      args: args.map((argument, index) =>
        takesQuery && !takesValue(args[index - 1]) ? keepNegation(argument) : argument
      ),
      allowPositionals: true,
      options,
    });
    return { values: values as Values, positionals };
  } catch (error) {
    // Node's message goes on with advice about arguments that begin with a hyphen.
    const [message] = (error as Error).message.split(/\. |\n/);
    const [option, typed] = /--?([\w-]+)/.exec(message) ?? [];
    if (message.endsWith("argument missing")) throw new UsageError(`${option} needs a value`);
    if (message.includes("is ambiguous")) {
      const joined = option?.startsWith("--") ? `${option}=-…` : `${option}-…`;
      throw new UsageError(
        `${option} needs a value; if it begins with a hyphen, write ${joined}`,
      );
    }
    const isUnknown = typed !== undefined && !Object.hasOwn(OPTIONS, typed);
    const command = args.find(isCommand);
    const names = command ? listOptions(command) : Object.keys(OPTIONS);
    const known = names.map((name) => `--${name}`);
    throw new UsageError(message + (isUnknown ? suggestion(`--${typed}`, known) : ""));
  }
}

/** The command that an argument names; throws if it lacks one of the options. */
export function checkCommand(name: string, values: Values): CommandName {
  if (!isCommand(name)) {
    const known = Object.keys(COMMANDS);
    throw new UsageError(
      `Unknown command "${name}"${suggestion(name, known)}: use ${known.join(", ")}`,
    );
  }
  for (const [option, value] of Object.entries(values)) {
    if (!listOptions(name).some((known) => known === option)) {
      throw new UsageError(`${name} takes no --${option}`);
    }
    // An unset variable in a script makes an empty value, which must not select everything.
    if ([value].flat().includes("")) throw new UsageError(`--${option} needs a value`);
  }
  return name;
}

/** A leading space keeps a negated term, such as -payroll, from being read as options. */
function keepNegation(argument: string): string {
  if (!/^-[^-]./.test(argument)) return argument;
  const name = argument.slice(1);
  if (Object.hasOwn(OPTIONS, name)) {
    throw new UsageError(`Unknown option ${argument}: write --${name}, or '-"${name}"' in a query`);
  }
  // An option's value may follow without a space, as in -cid,name.
  const [, column = ""] = /^-c([\w-]+)(?=,|$)/.exec(argument) ?? [];
  return queryField(FILE_SET_QUERY, column) === undefined ? ` ${argument}` : argument;
}

function takesValue(argument: string | undefined): boolean {
  return Object.entries(OPTIONS).some(([name, { short, value }]) =>
    value !== undefined && (argument === `--${name}` || argument === `-${short}`)
  );
}
