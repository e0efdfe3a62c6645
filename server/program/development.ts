/** Services for the development server, which runs routes without starting the program. */
import { readEnvironment } from "../config/environment.ts";
import { print } from "../config/print.ts";
import { openServices, type Services } from "./services.ts";
import { readSettings } from "../config/settings.ts";
import { printableCode } from "../auth/sign_in_codes.ts";

let opened: Services | undefined;

export function openDevelopmentServices(): Services {
  return opened ??= open();
}

function open(): Services {
  const services = openServices(readSettings(readEnvironment()));
  const code = services.embeddedToken && printableCode(services);
  if (code) print(`Sign in: /sign-in?code=${code}`);
  return services;
}
