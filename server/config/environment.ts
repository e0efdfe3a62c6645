/** Where settings come from: the environment, and a `.env` file beside `deno.json`. */
import * as util from "node:util";
import { DEPLOY_VARIABLES, SERVER_VARIABLES, VARIABLES } from "./settings.ts";
import { editDistance } from "../../lib/terminal.ts";

/** Reads variables by name. The environment overrides the file. */
export function readEnvironment(
  names: readonly string[] = SERVER_VARIABLES,
): Record<string, string | undefined> {
  const variables: Record<string, string | undefined> = readDotEnv();
  for (const name of [...names, ...DEPLOY_VARIABLES]) {
    variables[name] = Deno.env.get(name) ?? variables[name];
  }
  return variables;
}

function readDotEnv(): Record<string, string | undefined> {
  try {
    return util.parseEnv(Deno.readTextFileSync(".env"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) return {};
    throw error;
  }
}

const PREFIXES = /^(DOCKET|WATCH|OBSERVE|OBSERVER)_/;

/** Prints a warning for each variable that is nearly a setting. */
export function warnOfMistypedSettings(): void {
  const names = [...Object.keys(readDotEnv()), ...Object.keys(Deno.env.toObject())];
  for (const line of mistypedSettings(names, [...VARIABLES, ...DEPLOY_VARIABLES])) {
    console.error(line);
  }
}

/** A warning for each name that is nearly a setting's, because Docket would silently ignore it. */
export function mistypedSettings(names: Iterable<string>, known: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !known.includes(name)).flatMap((name) => {
    const meant = nearestSetting(name, known);
    return meant ? [`${name} is ignored: it is not a setting. Did you mean ${meant}?`] : [];
  });
}

function nearestSetting(name: string, known: readonly string[]): string | undefined {
  const upper = name.toUpperCase();
  const bare = upper.replace(PREFIXES, "");
  return known.find((each) => editDistance(upper, each) <= 1) ??
    // Kubernetes itself sets DOCKET_PORT for a service called docket.
    (bare !== upper && bare.includes("_")
      ? known.find((each) => editDistance(bare, each) <= 1)
      : undefined);
}
