/** The program's log: one line an event, to standard error. */
import { maskAddresses } from "../../lib/runs/recipients.ts";
import { LOG_LEVELS, type LogFormat, type LogLevel, type Settings } from "../config/settings.ts";
import { isTelemetryOn } from "./telemetry.ts";

/** The fields of a line. Never a token, a cookie, an email address or a query. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

/** The format in the settings; by default, text on a terminal and JSON elsewhere. */
export function logFormatOf({ logFormat }: Settings): LogFormat {
  return logFormat ?? (Deno.stderr.isTerminal() ? "text" : "json");
}

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

/** The log of a request; `common` is on each of its lines. */
export function logOf(common: LogFields, log: Log): Log {
  return logBy((level, message, fields) => log[level](message, { ...common, ...fields }));
}

function logBy(write: (level: LogLevel, message: string, fields?: LogFields) => void): Log {
  const of = (level: LogLevel) => (message: string, fields?: LogFields) =>
    write(level, message, fields);
  return { debug: of("debug"), info: of("info"), warn: of("warn"), error: of("error") };
}

/** The message of an unexpected error may contain anything, such as values of a row. */
function masked(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? maskAddresses(value) : value,
    ]),
  );
}

/** Telemetry takes the severity from the method; those below "warn" print to standard output. */
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

/** Requests slower than this, in milliseconds, are logged as information. */
const SLOW_MS = 1000;

/** Logs a request: slow ones as information, others and cancelled ones for debugging. */
export function logRequest(
  log: Log,
  { isCancelled, ms, ...request }: {
    readonly method: string;
    readonly status: number;
    /** Time to the beginning of the response. */
    readonly ms: number;
    readonly isCancelled: boolean;
  },
): void {
  const level = !isCancelled && ms > SLOW_MS ? "info" : "debug";
  log[level]("Request", { ...request, ms: Math.round(ms) });
}
