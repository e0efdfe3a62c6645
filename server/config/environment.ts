/** Where settings come from: the environment, and a `.env` file beside `deno.json`. */
import * as util from "node:util";
import { DEPLOY_VARIABLES, SERVER_VARIABLES } from "./settings.ts";

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
