import { assertEquals } from "@std/assert";
import { mistypedSettings } from "../../../server/config/environment.ts";
import { DEPLOY_VARIABLES, VARIABLES } from "../../../server/config/settings.ts";

const KNOWN = [...VARIABLES, ...DEPLOY_VARIABLES];

Deno.test("mistypedSettings: says names that are nearly a setting once", () => {
  const meant = {
    WEBHOK_URL: "WEBHOOK_URL",
    WATCH_WEBHOK_URL: "WEBHOOK_URL",
    WEBHOOK_SERCET: "WEBHOOK_SECRET",
    port: "PORT",
    DOCKET_DATA_DIR: "DATA_DIR",
    OBSERVER_METRICS_TOKEN: "METRICS_TOKEN",
    MAILTO: "MAIL_TO",
  };
  const names = Object.keys(meant);
  assertEquals(
    mistypedSettings([...names, ...names], KNOWN),
    Object.entries(meant).map(([name, setting]) =>
      `${name} is ignored: it is not a setting. Did you mean ${setting}?`
    ),
  );
});

Deno.test("mistypedSettings: settings themselves, and what other programs read, are not said", () => {
  const others = ["HOME", "HOSTNAME", "PATH", "LOGNAME", "MAIL", "REDIS_PORT", "DOCKET_PORT"];
  const kubernetes = ["DOCKET_SERVICE_HOST", "DOCKET_PORT_8000_TCP", "PGHOST", "DENO_DIR"];
  assertEquals(mistypedSettings([...KNOWN, ...others, ...kubernetes], KNOWN), []);
});
