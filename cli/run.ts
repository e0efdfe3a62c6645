import { readAssert } from "./assert.ts";
import { readCheck } from "./check.ts";
import { type CommandLine, ExitCode, readNamedFile, UsageError } from "./command.ts";
import { help } from "./help.ts";
import { printError } from "./error_message.ts";
import { readEvidence, readVerify } from "./evidence.ts";
import type { Io } from "./io.ts";
import { readJudge } from "./judge.ts";
import { listing } from "./list.ts";
import { readFileSetRequest, readHistoryRequest } from "./list_request.ts";
import { type CommandName, isCommand, type Values } from "./options.ts";
import { checkCommand, parseArguments } from "./parse_arguments.ts";
import { readRecipients, readWho } from "./recipients.ts";
import { VERSION } from "./version.ts";
import { type ClientOptions, logHooks } from "../lib/mod.ts";
import type { ServiceSetting } from "../lib/setting_hint.ts";
import { terminalText } from "../lib/terminal.ts";
import { readCount } from "./values.ts";

const READERS: Readonly<
  Record<CommandName, (values: Values, positionals: readonly string[]) => CommandLine>
> = {
  filesets: (values, positionals) => listing(readFileSetRequest(values, positionals)),
  history: (values, positionals) => listing(readHistoryRequest(values, positionals)),
  recipients: readRecipients,
  who: readWho,
  judge: readJudge,
  assert: readAssert,
  check: readCheck,
  evidence: readEvidence,
  verify: readVerify,
};

/** Runs the command line, and returns one of the {@linkcode ExitCode}s. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  // Even arguments that can't be parsed may name a command, for the error.
  let name = args.find(isCommand);
  let command: CommandLine | undefined;
  let connection: Connection | undefined;
  try {
    const { values, positionals: [typed, ...rest] } = parseArguments(args);
    const isHelp = values.help || typed === undefined || typed === "help";
    if (values.version || isHelp) {
      const topic = typed === "help" ? rest[0] : typed;
      await io.out.write(values.version ? `${VERSION}\n` : help(topic));
      return ExitCode.done;
    }
    name = checkCommand(typed, values);
    command = READERS[name](values, rest);
    return await command.run(io, async () => {
      connection = await readConnection(values, io);
      return connection.options;
    });
  } catch (error) {
    return await printError(error, io, { name, ...command?.requested, ...connection });
  }
}

interface Connection {
  readonly options: ClientOptions;
  readonly setting: ServiceSetting;
}

async function readConnection(values: Values, io: Io): Promise<Connection> {
  const { timeout, debug, "token-file": tokenFile } = values;
  const timeoutMs = timeout === undefined ? undefined : Number(timeout) * 1000;
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs < Infinity)) {
    throw new UsageError("--timeout must be a number of seconds greater than 0");
  }
  const attempts = readCount(values, "attempts", 1);
  const baseUrl = io.env("DOCKET_URL");
  const token = tokenFile === undefined
    ? io.env("DOCKET_TOKEN")
    : (await readNamedFile("--token-file", tokenFile, io)).trim();
  if (!baseUrl) {
    throw new UsageError(
      "DOCKET_URL is not set: export the URL of the service, such as http://localhost:8000",
    );
  }
  if (!token) {
    throw new UsageError(
      "DOCKET_TOKEN is not set: export the developer token, or use --token-file",
    );
  }
  const setting = {
    baseUrl,
    urlName: "DOCKET_URL",
    tokenName: tokenFile === undefined ? "DOCKET_TOKEN" : `The token in ${tokenFile}`,
  };
  const options = {
    baseUrl,
    token,
    tokenHeader: io.env("SERVICE_TOKEN_HEADER") || undefined,
    timeoutMs,
    attempts,
    fetch: io.fetch,
    ...(debug && logHooks((line) => void io.err.write(`${terminalText(line)}\n`))),
  };
  return { options, setting };
}
