import { type AnyDocketError, isDocketError } from "../lib/mod.ts";
import { maskAddresses } from "../lib/runs/recipients.ts";
import { formatSearchQuery } from "../lib/search/search_query_format.ts";
import { messageBesideHint, type ServiceSetting, settingHint } from "../lib/setting_hint.ts";
import { terminalText } from "../lib/terminal.ts";
import { ExitCode, type RequestedParts, UsageError } from "./command.ts";
import { COMMANDS } from "./options.ts";
import type { Io } from "./io.ts";

/** The names on the command line of the client's options. */
const NAMES: Readonly<Record<string, string>> = {
  baseUrl: "DOCKET_URL",
  token: "DOCKET_TOKEN",
  tokenHeader: "SERVICE_TOKEN_HEADER",
  key: "--key",
};

/** The command that failed, what it requested, and from which service. */
interface FailedCommand extends RequestedParts {
  readonly name?: string | undefined;
  readonly setting?: ServiceSetting;
}

/** Writes an error and returns the exit code; throws what is not an error of the client or usage. */
export async function printError(
  error: unknown,
  io: Io,
  command: FailedCommand = {},
): Promise<number> {
  if ((error as { code?: unknown } | null)?.code === "EPIPE") return ExitCode.brokenPipe;
  if (error instanceof UsageError) {
    const topic = Object.hasOwn(COMMANDS, command.name ?? "") ? ` ${command.name}` : "";
    await io.err.write(`${error.message}\nSee docket${topic} --help\n`);
    return ExitCode.usage;
  }
  if (!isDocketError(error)) throw error;
  if (error.kind === "abort") return ExitCode.interrupted;
  const lines = formatError(error, command).map((line) => terminalText(maskAddresses(line)));
  await io.err.write(`${lines.join("\n")}\n`);
  if (error.kind === "configuration") return ExitCode.usage;
  if (error.kind !== "http") return ExitCode.failed;
  if (error.status === 400 && error.problem?.errors.length) return ExitCode.usage;
  return error.status === 401 || error.status === 403 ? ExitCode.rejected : ExitCode.failed;
}

/** Whether the service lacks a schedule. A 404 without a problem document means a wrong address. */
export function isMissingSchedule(error: unknown): boolean {
  return isDocketError(error) && error.kind === "http" && error.status === 404 &&
    error.problem !== undefined;
}

/** Whether other schedules may be readable: connection, address and token are not at fault. */
export function isErrorOfOneSchedule(error: unknown): boolean {
  if (!isDocketError(error)) return false;
  if (error.kind !== "http") return ["timeout", "shape", "drift", "stalled"].includes(error.kind);
  return error.status !== 401 && (error.status !== 404 || isMissingSchedule(error));
}

function formatError(error: AnyDocketError, command: FailedCommand): string[] {
  const lines = [formatMessage(error, command)];
  const hint = command.setting && settingHint(error, command.setting);
  if (error.kind === "http") {
    for (const { parameter, pointer, detail } of error.problem?.errors ?? []) {
      lines.push(`  ${nameTyped(parameter ?? pointer ?? "", command)} ${detail}`);
    }
    if (!error.problem && error.excerpt && !hint) lines.push(`  ${error.excerpt}`);
  }
  if (hint !== undefined) lines.push(`  ${hint}`);
  if (error.requestId !== undefined) lines.push(`  request id ${error.requestId}`);
  return lines;
}

function formatMessage(error: AnyDocketError, { resume, setting }: FailedCommand): string {
  if (error.kind === "configuration") {
    if (error.parameter === "resume") return `--resume: ${resume} ${resumeIssue(error.message)}`;
    const name = NAMES[error.parameter];
    return name === undefined ? error.message : error.message.replaceAll(error.parameter, name);
  }
  // The issues are listed one by one, so the message need not repeat them.
  if (error.kind === "http" && error.problem?.errors.length) {
    return error.message.replace(/(: status \d+): .*$/s, "$1");
  }
  return setting ? messageBesideHint(error) : error.message;
}

/** What is wrong with a checkpoint's file, and how to mend it. */
function resumeIssue(message: string): string {
  const expected = message.includes("query") ? "checkpoint of the same query" : "whole checkpoint";
  return `is not a ${expected}: delete it to start over, or name another file`;
}

/** What was typed for a parameter or JSON pointer: `sort:"id":UP: order` for `/fieldSort/0/order`. */
function nameTyped(part: string, { body = {}, limit, skipped }: FailedCommand): string {
  const [, list, at, member] = /^\/(\w+)(?:\/(\d+)(?:\/(\w+))?)?/.exec(part) ?? [];
  if (list === "filters" || list === "dateFilters" || list === "fieldSort") {
    const named = at ? body[list]?.slice(Number(at), Number(at) + 1) : [];
    return `${formatSearchQuery({ [list]: named }) || "query"}:${member ? ` ${member}` : ""}`;
  }
  if (!["limit", "offset", "skip"].includes(part)) return `${part}:`;
  return `--${part} ${(part === "limit" ? limit : skipped) ?? ""}`.trim() + ":";
}
