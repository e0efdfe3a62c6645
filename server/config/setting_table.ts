/** Tables of settings: the variable, the parser and the default of each. */
import { InvalidSetting } from "./setting_values.ts";

interface Setting<T> {
  readonly variable: string;
  /** Throws what is wrong with the text. */
  readonly parse: (text: string) => T;
  readonly fallback: T;
}

type Table = Readonly<Record<string, Setting<unknown>>>;

type Values<T extends Table> = {
  readonly [Name in keyof T]: T[Name] extends Setting<infer Value> ? Value : never;
};

/** A setting that can't be used. The detail never repeats the value, which may be a secret. */
export interface SettingIssue {
  readonly variable: string;
  readonly detail: string;
}

export function setting<T>(
  variable: string,
  parse: (text: string) => T,
  fallback: NoInfer<T>,
): Setting<T> {
  return { variable, parse, fallback };
}

export function optional<T>(variable: string, parse: (text: string) => T): Setting<T | null> {
  return { variable, parse, fallback: null };
}

export type SettingsReader = ReturnType<typeof createReader>;

/** Reads settings from these variables, and collects issues; an empty variable counts as unset. */
export function createReader(env: Readonly<Record<string, string | undefined>>) {
  const issues: SettingIssue[] = [];
  const isMissing = (variable: string) => !env[variable]?.trim();
  const report = (variable: string, detail: string) => void issues.push({ variable, detail });

  function readValue({ variable, parse, fallback }: Setting<unknown>): unknown {
    if (isMissing(variable)) return fallback;
    try {
      return parse(env[variable]!.trim());
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      report(variable, error.message);
      return fallback;
    }
  }

  return {
    issues,
    isMissing,
    report,
    /** The values of a table; defaults stand in for invalid ones. */
    read<T extends Table>(table: T): Values<T> {
      const values = Object.entries(table).map(([name, each]) => [name, readValue(each)]);
      return Object.fromEntries(values);
    },
    /** Reports the missing ones of these settings, unless all of them are missing. */
    requireTogether(...variables: readonly string[]): void {
      const present = variables.filter((each) => !isMissing(each));
      if (present.length === 0) return;
      for (const variable of variables.filter(isMissing)) {
        report(variable, `is required together with ${present.join(" and ")}`);
      }
    },
  };
}
