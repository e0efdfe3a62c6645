/** Where settings come from: the environment, and a `.env` file beside `deno.json`. */
import * as util from "node:util";
import { DEPLOY_VARIABLES, SERVER_VARIABLES } from "./settings.ts";

/**
 * Variables by name, the server's unless told otherwise; what the environment sets wins over the
 * file. Each is asked for by itself, because the program may see no others.
 */
export function readEnvironment(
  names: readonly string[] = SERVER_VARIABLES,
): Record<string, string | undefined> {
  const variables: Record<string, string | undefined> = readDotEnv();
  for (const name of [...names, ...DEPLOY_VARIABLES]) {
    variables[name] = Deno.env.get(name) ?? variables[name];
  }
  return variables;
}

/** The `.env` file in the folder that the program was started in; most have none. */
function readDotEnv(): Record<string, string | undefined> {
  try {
    return util.parseEnv(Deno.readTextFileSync(".env"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) return {};
    throw error;
  }
}
