import { assertEquals } from "@std/assert";
import { createSessions } from "../../../server/auth/sessions.ts";
import { currentSession } from "../../../server/backend/current_session.ts";
import { readSettings } from "../../../server/config/settings.ts";

const ORIGIN = "http://localhost:8000";

/** The role and token of somebody in the group ops who signed in by OIDC, with these settings. */
async function roleIf(env: Record<string, string>, embeddedToken: string | null = "token") {
  const sessions = createSessions(["session-key-".repeat(4)]);
  const answer = new Headers();
  const oidc = { subject: "1", name: "Ada", memberships: ["group:ops"] };
  await sessions.write(answer, { token: null, service: "embedded", oidc }, ORIGIN);
  const settings = readSettings({
    ...{ OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "docket" },
    ...{ OIDC_CLIENT_SECRET: "secret", OIDC_READERS: "readers", OIDC_OPERATORS: "operators" },
    ...env,
  });
  const holderOf = () => Promise.reject(new Error("A token was checked"));
  const services = { sessions, settings, holderOf, identity: "embedded", embeddedToken };
  const headers = new Headers({ cookie: answer.getSetCookie()[0].split(";")[0] });
  const signedIn = await currentSession(headers, ORIGIN, services, { requestId: "1" });
  return signedIn && `${signedIn.role} ${signedIn.token}`;
}

Deno.test("currentSession: has the role of the current settings, or there is no session", async () => {
  assertEquals(await roleIf({ OIDC_OPERATORS: "ops" }), "operator token");
  assertEquals(await roleIf({ OIDC_READERS: "ops" }), "reader token");
  assertEquals(await roleIf({ OIDC_OPERATORS: "others" }), null);
  // Another service is read with the observer's token.
  const observed = { OIDC_OPERATORS: "ops", OBSERVER_TOKEN: "observer" };
  assertEquals(await roleIf(observed, null), "operator observer");
  assertEquals(await roleIf({ OIDC_OPERATORS: "ops" }, null), null);
});
