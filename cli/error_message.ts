import { type AnyDocketError, type ClientOptions, isDocketError } from "../lib/mod.ts";
import { maskAddresses } from "../lib/runs/recipients.ts";
import { messageBesideHint, settingHint } from "../lib/setting_hint.ts";
import { terminalText } from "../lib/terminal.ts";
import { type Command, ExitCode, UsageError } from "./command.ts";
import type { Io } from "./io.ts";

/** The names on the command line of the client's options. */
const NAMES: Readonly<Record<string, string>> = {
  baseUrl: "DOCKET_URL",
  token: "DOCKET_TOKEN",
  tokenHeader: "SERVICE_TOKEN_HEADER",
  key: "--key",
};

interface FailedCommand {
  readonly name?: string;
  readonly command?: Command;
  readonly connection?: ClientOptions;
}

/** Writes an error and returns the exit code; throws what is not an error of the client or usage. */
export async function printError(
  error: unknown,
  io: Io,
  failed: FailedCommand = {},
): Promise<number> {
  if ((error as { code?: unknown } | null)?.code === "EPIPE") return ExitCode.brokenPipe;
  if (error instanceof UsageError) {
    const topic = failed.command ? ` ${failed.name}` : "";
    await io.err.write(`${error.message}\nSee docket${topic} --help\n`);
    return ExitCode.usage;
  }
  if (!isDocketError(error)) throw error;
  if (error.kind === "abort") return ExitCode.interrupted;
  const lines = formatError(error, failed).flatMap((line) => line.split("\n"))
    .map((line) => terminalText(maskAddresses(line)));
  await io.err.write(`${lines.join("\n")}\n`);
  const isUsage = error.kind === "configuration" ||
    error.kind === "http" && error.status === 400 && error.problem?.errors.length;
  return isUsage ? ExitCode.usage : ExitCode.failed;
}

/** Whether the service lacks a schedule. A 404 without a problem document means a wrong address. */
export function isMissingSchedule(error: unknown): boolean {
  return isDocketError(error) && error.kind === "http" && error.status === 404 &&
    error.problem !== undefined;
}

/** Whether other schedules may be readable: the connection and the token are not at fault. */
export function isErrorOfOneSchedule(error: unknown): boolean {
  if (!isDocketError(error)) return false;
  if (error.kind !== "http") return ["timeout", "shape", "drift", "stalled"].includes(error.kind);
  return error.status !== 401;
}

function formatError(error: AnyDocketError, failed: FailedCommand): string[] {
  const lines = [formatMessage(error, failed)];
  const hint = failed.connection && settingHint(error, String(failed.connection.baseUrl));
  if (error.kind === "http") {
    for (const { parameter, pointer, detail } of error.problem?.errors ?? []) {
      const name = parameter ?? pointer?.replace(/^\//, "") ?? "";
      const isOption = Object.hasOwn(failed.command?.options ?? {}, name);
      lines.push(`  ${isOption ? "--" : ""}${name}: ${detail}`);
    }
    if (!error.problem && error.excerpt && !hint) lines.push(`  ${error.excerpt}`);
  }
  if (hint !== undefined) lines.push(`  ${hint}`);
  const isNoDocket = error.kind === "http" && error.status === 404 && !error.problem;
  if (isNoDocket && error.request?.includes("/api/docket/")) {
    lines.push("  DOCKET_URL must be that of a Docket, which keeps these records");
  }
  if (error.requestId !== undefined) lines.push(`  request id ${error.requestId}`);
  return lines;
}

function formatMessage(error: AnyDocketError, { connection }: FailedCommand): string {
  if (error.kind === "configuration") {
    const name = NAMES[error.parameter];
    return name === undefined ? error.message : error.message.replaceAll(error.parameter, name);
  }
  // The issues are listed one by one, so the message need not repeat them.
  if (
    error.kind === "http" && error.problem?.errors.some((one) => error.message.includes(one.detail))
  ) {
    return error.message.replace(/(: status \d+): .*$/s, "$1");
  }
  return connection ? messageBesideHint(error) : error.message;
}
