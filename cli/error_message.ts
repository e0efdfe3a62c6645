import { type AnyDocketError, isDocketError } from "../lib/mod.ts";
import { maskAddresses } from "../lib/runs/recipients.ts";
import { formatSearchUrl } from "../lib/search/search_url.ts";
import { messageBesideHint, type ServiceSetting, settingHint } from "../lib/setting_hint.ts";
import { ExitCode, type RequestedParts, UsageError } from "./command.ts";
import { COMMANDS } from "./options.ts";
import type { Io } from "./io.ts";

/** The client's options by their names on the command line. */
const NAMES: Readonly<Record<string, string>> = {
  baseUrl: "DOCKET_URL",
  token: "DOCKET_TOKEN",
  tokenHeader: "SERVICE_TOKEN_HEADER",
  key: "--key",
};

interface Given extends RequestedParts {
  readonly name?: string | undefined;
  readonly setting?: ServiceSetting;
}

/** Writes an error and returns the exit code; rethrows what is not an error of the client. */
export async function printError(error: unknown, io: Io, given: Given = {}): Promise<number> {
  if ((error as { code?: unknown } | null)?.code === "EPIPE") return ExitCode.brokenPipe;
  if (error instanceof UsageError) {
    const about = Object.hasOwn(COMMANDS, given.name ?? "") ? ` ${given.name}` : "";
    await io.err.write(`${error.message}\nSee docket${about} --help\n`);
    return ExitCode.usage;
  }
  if (!isDocketError(error)) throw error;
  if (error.kind === "abort") return ExitCode.interrupted;
  const text = maskAddresses(linesOf(error, given).join("\n"));
  // deno-lint-ignore no-control-regex
  await io.err.write(text.replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, "\ufffd") + "\n");
  if (error.kind === "configuration") return ExitCode.usage;
  if (error.kind !== "http") return ExitCode.failed;
  if (error.status === 400 && error.problem?.errors.length) return ExitCode.usage;
  return error.status === 401 || error.status === 403 ? ExitCode.rejected : ExitCode.failed;
}

/** Whether the service lacks a schedule. A 404 without a problem document is a wrong address. */
export function isMissingSchedule(error: unknown): boolean {
  return isDocketError(error) && error.kind === "http" && error.status === 404 &&
    error.problem !== undefined;
}

/** Whether other schedules may be read: not without a good token or address, or a connection. */
export function isErrorOfOneSchedule(error: unknown): boolean {
  if (!isDocketError(error)) return false;
  if (error.kind !== "http") return ["timeout", "shape", "drift", "stalled"].includes(error.kind);
  return error.status !== 401 && (error.status !== 404 || isMissingSchedule(error));
}

function linesOf(error: AnyDocketError, given: Given): string[] {
  const lines = [messageOf(error, given)];
  const hint = given.setting && settingHint(error, given.setting);
  if (error.kind === "http") {
    for (const { parameter, pointer, detail } of error.problem?.errors ?? []) {
      lines.push(`  ${optionOf(parameter ?? pointer ?? "", given)} ${detail}`);
    }
    if (!error.problem && error.excerpt && !hint) lines.push(`  ${error.excerpt}`);
  }
  if (hint !== undefined) lines.push(`  ${hint}`);
  if (error.requestId !== undefined) lines.push(`  request id ${error.requestId}`);
  return lines;
}

function messageOf(error: AnyDocketError, { resume, setting }: Given): string {
  if (error.kind === "configuration") {
    if (error.parameter === "resume") return `--resume: ${resume} ${resumeIssue(error.message)}`;
    const name = NAMES[error.parameter];
    return name === undefined ? error.message : error.message.replaceAll(error.parameter, name);
  }
  // The single issues say the same, and where.
  const repeats = error.kind === "http" && (error.problem?.errors.length ?? 0) > 0;
  if (repeats) return error.message.replace(/(: status \d+): .*$/s, "$1");
  return setting ? messageBesideHint(error) : error.message;
}

/** What is wrong with a checkpoint's file, and what to do about it. */
function resumeIssue(message: string): string {
  const what = message.includes("query") ? "checkpoint of the same query" : "whole checkpoint";
  return `is not a ${what}: delete it to start over, or name another file`;
}

/** The option behind a part of a request: `--sort id:UP: order` for `/fieldSort/0/order`. */
function optionOf(place: string, { name, body = {}, limit, skipped }: Given): string {
  const [, list, index, member] = /^\/(\w+)(?:\/(\d+)(?:\/(\w+))?)?/.exec(place) ?? [];
  const option = PARAMETERS[list];
  if (option) {
    const text = index && formatSearchUrl({ body }).getAll(option)[Number(index)];
    // The conditions of assert are its arguments.
    const given = name === "assert" && option === "filter" && text ? "" : `--${option}`;
    return `${given} ${text ?? ""}`.trim() + `:${member ? ` ${member}` : ""}`;
  }
  if (place === "limit") return `--limit ${limit ?? ""}`.trim() + ":";
  if (place === "offset" || place === "skip") return `--${place} ${skipped ?? ""}`.trim() + ":";
  return `${place}:`;
}

const PARAMETERS: Readonly<Record<string, string>> = {
  fieldSort: "sort",
  filters: "filter",
  dateFilters: "date",
};
