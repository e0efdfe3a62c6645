/** Reads arguments by a command's description. */
import { parseArgs } from "node:util";
import { suggestion } from "../lib/terminal.ts";
import { type Command, COMMON, type Invocation, type Options, UsageError } from "./command.ts";

/** Splits arguments into values and words. @throws {UsageError} That names every wrong value */
export function parseArguments(
  command: Command,
  args: readonly string[],
): Pick<Invocation, "values" | "words"> {
  if (args.some((argument) => /^--?token(=|$)/.test(argument))) {
    throw new UsageError(
      "A token is never an argument, where others could read it: set DOCKET_TOKEN",
    );
  }
  const options: Options = { ...command.options, ...COMMON };
  // A leading space keeps a negated term, such as -payroll, from being read as options.
  const terms = args.map((each) => command.takesQuery && /^-[^-]/.test(each) ? ` ${each}` : each);
  const { values: typed, positionals } = parse(terms, options);
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(typed)) {
    // An unset variable in a script makes an empty value, which must not select everything.
    if ([value].flat().includes("")) faults.push(`--${name} needs a value`);
    else {
      try {
        const { read, multiple } = options[name];
        values[name] = multiple ? (value as string[]).map(read) : read(value as string);
      } catch (error) {
        const { message } = error as Error;
        faults.push(message.startsWith(name) ? `--${message}` : `--${name} ${message.trimStart()}`);
      }
    }
  }
  for (const [name, { needed, value }] of Object.entries(options)) {
    if (needed && !Object.hasOwn(typed, name)) faults.push(`--${name} ${value} is missing`);
  }
  const { arguments: expected } = command;
  const [, second = ""] = positionals;
  if (expected === "" && positionals.length > 0) {
    faults.push(`It takes options only, and not "${positionals[0]}"`);
  } else if (/^[A-Z]+$/.test(expected) && positionals.length !== 1) {
    faults.push(
      second ? `It takes one ${expected}, and not also "${second}"` : `${expected} is missing`,
    );
  }
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return { values: values as Invocation["values"], words: positionals };
}

function parse(args: string[], options: Options) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { value, multiple = false }]) => {
          const type: "boolean" | "string" = value === undefined ? "boolean" : "string";
          return [name, { type, multiple }];
        }),
      ),
    });
  } catch (error) {
    // Node's message goes on with advice about arguments that begin with a hyphen.
    const [message] = (error as Error).message.split(/\. |\n/);
    const [option, name = ""] = /--?([\w-]+)/.exec(message) ?? [];
    if (message.endsWith("argument missing")) throw new UsageError(`${option} needs a value`);
    if (message.includes("is ambiguous")) {
      throw new UsageError(`${option} needs a value; one with a hyphen as ${option}=-…`);
    }
    const known = Object.keys(options).map((each) => `--${each}`);
    throw new UsageError(message + suggestion(`--${name}`, known));
  }
}
