/** The program's log: one line per event, to standard error. */
import { maskAddresses } from "../../lib/runs/recipients.ts";
import { tryToWrite } from "../config/print.ts";
import { LOG_LEVELS, type LogFormat, type LogLevel, type Settings } from "../config/settings.ts";
import { isTelemetryOn } from "./telemetry.ts";

/** The fields of a line. Never a token, a cookie, an email address or a query. */
type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

/** The format in the settings; by default, text on a terminal and JSON elsewhere. */
export function chosenLogFormat({ logFormat }: Settings): LogFormat {
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
  return logThrough((severity, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(severity) < LOG_LEVELS.indexOf(level)) return;
    write(line(now().toISOString(), severity, message, withMaskedAddresses(fields)), severity);
  });
}

/** A log that adds the same fields to each line, such as those of a request. */
export function logWith(common: LogFields, log: Log): Log {
  return logThrough((level, message, fields) => log[level](message, { ...common, ...fields }));
}

function logThrough(write: (level: LogLevel, message: string, fields?: LogFields) => void): Log {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) =>
    write(level, message, fields);
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** The message of an unexpected error may contain anything, such as values of a row. */
function withMaskedAddresses(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? maskAddresses(value) : value,
    ]),
  );
}

/** With telemetry, the console's method sets the severity; otherwise, all lines go to standard error. */
function print(line: string, level: LogLevel): void {
  tryToWrite(() => console[isTelemetryOn ? level : "error"](line));
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
