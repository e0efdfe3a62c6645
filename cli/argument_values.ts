/** The values of single options and arguments. */
import { parseSearchUrl } from "../lib/mod.ts";
import { checkZone } from "../lib/runs/plans/parse.ts";
import { UsageError } from "./command.ts";

/** The values of options, by name. */
export type Values = Readonly<Record<string, string | boolean | string[] | undefined>> & {
  readonly filter?: string[];
  readonly date?: string[];
  readonly sort?: string[];
  readonly max?: string;
  readonly limit?: string;
  readonly columns?: string;
  readonly cron?: string;
  readonly zone?: string;
  readonly grace?: string;
  readonly "service-zone"?: string;
};

/** The zone in which days begin. */
export function readZone({ zone = "UTC" }: Values): string {
  try {
    return checkZone("zone", zone);
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`);
  }
}

/** Conditions, sort keys and numbers, written as in Docket's URLs. */
export function readView(given: Readonly<Record<string, unknown>>, zone?: string) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    for (const text of [value ?? []].flat()) params.append(name, String(text));
  }
  const { view, issues } = parseSearchUrl(params, { zone });
  if (issues.length > 0) {
    const lines = issues.map(({ parameter, detail }) => `--${parameter}: ${detail}`);
    throw new UsageError(lines.join("\n"));
  }
  return view;
}

/** A whole number of at least `least`. */
export function readCount(name: string, text: string, least: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= least) return count;
  throw new UsageError(`--${name} must be an integer of at least ${least}`);
}

/** The id of the report schedule that a command is about. */
export function readId(command: string, words: readonly string[]): number {
  const [text, ...more] = words;
  if (text === undefined) throw new UsageError(`${command} needs the id of a report schedule`);
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || more.length > 0) {
    throw new UsageError(`${command} takes the id of one report schedule, a whole number`);
  }
  return id;
}
