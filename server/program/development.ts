/** Services for the development server, which runs routes without starting the program. */
import { readEnvironment } from "../config/environment.ts";
import { print } from "../config/print.ts";
import { openServices, type Services } from "./services.ts";
import { readSettings } from "../config/settings.ts";
import { printableCode } from "../auth/sign_in_codes.ts";

let opened: Services | undefined;

/** Opens the services on the first request, and prints how to sign in at its origin. */
export function openDevelopmentServices(origin: string): Services {
  return opened ??= open(origin);
}

function open(origin: string): Services {
  const services = openServices(readSettings(readEnvironment()));
  const code = services.embeddedToken && printableCode(services);
  if (code) print(`Sign in within ten minutes, once: ${origin}/sign-in?code=${code}`);
  return services;
}
