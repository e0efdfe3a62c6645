import { readArguments } from "./arguments.ts";
import { assertMost } from "./assert.ts";
import { check } from "./check.ts";
import type { CommandLine } from "./command.ts";
import { completion } from "./completion.ts";
import { type Connection, readConnection } from "./connection.ts";
import { printError } from "./error_message.ts";
import { makeEvidence, makeKey, verify } from "./evidence.ts";
import { ExitCode } from "./exit_code.ts";
import { help } from "./help.ts";
import type { Io } from "./io.ts";
import { judge } from "./judge.ts";
import { list } from "./list.ts";
import { recipients } from "./recipients.ts";
import { COMMANDS } from "./options.ts";
import { schemaOf } from "./schemas.ts";
import { VERSION } from "./version.ts";

/**
 * Runs the command line.
 *
 * @returns The exit code, one of {@linkcode ExitCode}.
 */
export async function run(words: readonly string[], io: Io): Promise<number> {
  const say = async (text: string) => {
    await io.out.write(text);
    return ExitCode.done;
  };
  let command: CommandLine | undefined;
  let connection: Connection | undefined;
  try {
    command = readArguments(words);
    switch (command.name) {
      case "help":
        return await say(help(command.topic));
      case "version":
        return await say(`${VERSION}\n`);
      case "completion":
        return await say(completion(command.shell));
      case "schema":
        return await say(JSON.stringify(schemaOf(command.topic), null, 2) + "\n");
      case "verify":
        return await verify(command, io);
      case "evidence":
        if ("newKey" in command) return await makeKey(command.newKey, io);
    }
    connection = await readConnection(command, io);
    const { options } = connection;
    switch (command.name) {
      case "check":
        return await check(command.scheduleId, command.json, options, io);
      case "recipients":
      case "who":
        return await recipients(command, options, io);
      case "evidence":
        return await makeEvidence(command, options, io);
      case "judge":
        return await judge(command, options, io);
      case "assert":
        return await assertMost(command.body, command.max, command.json, options, io);
      default:
        return await list(command, options, io);
    }
  } catch (error) {
    // Without a command that could be read, the words may still name one.
    const name = words.find((word) => Object.hasOwn(COMMANDS, word));
    return await printError(error, io, { ...command ?? { name }, ...connection });
  }
}
