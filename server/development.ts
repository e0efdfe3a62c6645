/** Services for the development server, which runs routes without the program's own start. */
import { readEnvironment } from "./environment.ts";
import { openServices, type Services } from "./services.ts";
import { readSettings } from "./settings.ts";

let opened: Promise<Services> | undefined;

/** The services, opened at the first request; says how to sign in. */
export function openDevelopmentServices(): Promise<Services> {
  opened ??= openServices(readSettings(readEnvironment())).then((services) => {
    if (services.embeddedToken) {
      console.log(`Sign in: /sign-in?code=${services.signInCodes.issue()}`);
    }
    return services;
  });
  return opened;
}
