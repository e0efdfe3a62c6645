/** The program's log: one line an event, to standard error. */
import { LOG_LEVELS, type LogFormat, type LogLevel } from "./settings.ts";

/** What a line says beside its message. Never a token, a cookie, an e-mail address or a query. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes lines of a level. */
export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

/** A log that leaves out what is less severe than `level`. */
export function createLog(
  { level, format, write = console.error, now = () => new Date() }: {
    readonly level: LogLevel;
    readonly format: LogFormat;
    readonly write?: (line: string) => void;
    readonly now?: () => Date;
  },
): Log {
  const line = format === "json" ? jsonLine : textLine;
  const writer = (of: LogLevel) => (message: string, fields: LogFields = {}) => {
    if (LOG_LEVELS.indexOf(of) < LOG_LEVELS.indexOf(level)) return;
    write(line(now().toISOString(), of, message, fields));
  };
  return {
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
  };
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
