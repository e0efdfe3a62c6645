/** The program's log: one line an event, to standard error. */
import { maskAddresses } from "../../lib/runs/mask.ts";
import { LOG_LEVELS, type LogFormat, type LogLevel, type Settings } from "../config/settings.ts";
import { isTelemetryOn } from "./telemetry/api.ts";

/** What a line says beside its message. Never a token, a cookie, an e-mail address or a query. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes lines of a level. */
export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

/** The format that the settings ask for, or else what suits who reads it. */
export function logFormatOf({ logFormat }: Settings): LogFormat {
  return logFormat ?? (Deno.stderr.isTerminal() ? "text" : "json");
}

/** A log that leaves out what is less severe than `level`. */
export function createLog(
  { level, format, write = print, now = () => new Date() }: {
    readonly level: LogLevel;
    readonly format: LogFormat;
    readonly write?: (line: string, level: LogLevel) => void;
    readonly now?: () => Date;
  },
): Log {
  const line = format === "json" ? jsonLine : textLine;
  return logBy((of, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(of) < LOG_LEVELS.indexOf(level)) return;
    write(line(now().toISOString(), of, message, masked(fields)), of);
  });
}

/** The log of a request, which remembers what it told: several calls for one page fail alike. */
export interface RequestLog extends Log {
  /** The faults that were told. */
  readonly told: Set<string>;
}

/** A request's log, of which every line says this as well. */
export function logOf(about: LogFields, log: Log): RequestLog {
  const write = (level: LogLevel, message: string, fields?: LogFields) =>
    log[level](message, { ...about, ...fields });
  return { ...logBy(write), told: new Set() };
}

function logBy(write: (level: LogLevel, message: string, fields?: LogFields) => void): Log {
  const of = (level: LogLevel) => (message: string, fields?: LogFields) =>
    write(level, message, fields);
  return { debug: of("debug"), info: of("info"), warn: of("warn"), error: of("error") };
}

/** The message of an unexpected error may repeat anything, such as what is in a row. */
function masked(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? maskAddresses(value) : value,
    ]),
  );
}

/**
 * Deno exports what the console prints, and takes the severity from the method. The methods of the
 * lower levels print to standard output, so they are used only where telemetry needs them.
 */
function print(line: string, level: LogLevel): void {
  console[isTelemetryOn ? level : "error"](line);
}

function jsonLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  return JSON.stringify({ time, level, message, ...fields });
}

function textLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) =>
      `${name}=${/^[\w./:-]+$/.test(String(value)) ? value : JSON.stringify(value)}`
    );
  return [time, level.toUpperCase().padEnd(5), message, ...pairs].join(" ");
}
