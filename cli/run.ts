import type { ClientOptions } from "../lib/mod.ts";
import { maskAddresses } from "../lib/runs/recipients.ts";
import { suggestion, terminalText } from "../lib/terminal.ts";
import { parseArguments } from "./arguments.ts";
import { type COMMON, ExitCode, type Invocation, UsageError, type Values } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { printError } from "./error_message.ts";
import { help } from "./help.ts";
import type { Io } from "./io.ts";
import { VERSION } from "./version.ts";

/** Runs the command line, and returns one of the {@linkcode ExitCode}s. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const name = [args.slice(0, 2).join(" "), args[0] ?? ""]
    .find((name) => Object.hasOwn(COMMANDS, name));
  const command = name === undefined ? undefined : COMMANDS[name];
  let read: Pick<Invocation, "values" | "words"> | undefined;
  let connection: ClientOptions | undefined;
  try {
    const topic = readTopic(args);
    if (topic !== null) {
      await io.out.write(help(COMMANDS, topic));
      return ExitCode.done;
    }
    if (args[0] === "--version") {
      await io.out.write(`${VERSION}\n`);
      return ExitCode.done;
    }
    if (name === undefined || !command) throw unknownCommand(args);
    read = parseArguments(command, args.slice(name.split(" ").length));
    const connect = () => connection = readConnection(read!.values, io);
    return await command.run({ ...read, io, connect });
  } catch (error) {
    return await printError(error, io, {
      ...command && { name, command },
      ...connection && { connection },
    });
  }
}

/** What help is asked for; null if none is. */
function readTopic(args: readonly string[]): string | null {
  const [first = "help", ...rest] = args;
  if (first === "help" || first === "--help") return rest.join(" ");
  if (!args.includes("--help")) return null;
  // Of `watch add 101 --help`, the topic is the command.
  const topics = [args.slice(0, 2).join(" "), first].filter((topic) => !topic.includes(" -"));
  return topics.find((topic) => Object.hasOwn(COMMANDS, topic)) ?? first;
}

function unknownCommand([first, second]: readonly string[]): UsageError {
  const names = Object.keys(COMMANDS);
  const inGroup = names.filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1));
  if (inGroup.length > 0) {
    const meant = suggestion(second ?? "", inGroup);
    return new UsageError(`docket ${first} needs one of ${inGroup.join(", ")}${meant}`);
  }
  const known = [...new Set(names.map((name) => name.split(" ")[0]))];
  return new UsageError(
    `Unknown command "${first}"${suggestion(first, known)}: use ${known.join(", ")}`,
  );
}

function readConnection({ debug }: Values<typeof COMMON>, io: Io): ClientOptions {
  const baseUrl = io.env("DOCKET_URL");
  const token = io.env("DOCKET_TOKEN");
  if (!baseUrl) {
    throw new UsageError(
      "DOCKET_URL is not set: export the URL of the service, such as http://localhost:8000",
    );
  }
  if (!token) throw new UsageError("DOCKET_TOKEN is not set: export the developer token");
  const log = (line: string) => void io.err.write(`${terminalText(maskAddresses(line))}\n`);
  return {
    baseUrl,
    token,
    tokenHeader: io.env("SERVICE_TOKEN_HEADER") || undefined,
    fetch: io.fetch,
    ...debug && {
      onRequest: ({ method, url, attempt }) => log(`→ ${method} ${url}, attempt ${attempt}`),
      onResponse: ({ status, ms }) => log(`← ${status} in ${Math.round(ms)} ms`),
      onRetry: ({ error, waitMs }) => log(`↻ in ${waitMs} ms: ${error.message}`),
    },
  };
}
