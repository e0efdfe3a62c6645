import { assertEquals } from "@std/assert";
import { createSessions } from "../../../server/auth/sessions.ts";
import { currentSession } from "../../../server/backend/current_session.ts";
import { readSettings } from "../../../server/config/settings.ts";

const ORIGIN = "http://localhost:8000";

/** The session of somebody who signed in by OIDC, as it is with these settings. */
async function sessionIf(env: Record<string, string>, embeddedToken: string | null = "token") {
  const sessions = createSessions(["session-key-".repeat(4)]);
  const answer = new Headers();
  const oidc = { subject: "1", name: "Ada", memberships: ["group:ops"] };
  await sessions.write(answer, { token: null, service: "embedded", oidc }, ORIGIN);
  const [cookie] = answer.getSetCookie()[0].split(";");
  const settings = readSettings({
    OIDC_ISSUER: "https://id.example.com",
    OIDC_CLIENT_ID: "docket",
    OIDC_CLIENT_SECRET: "secret",
    OIDC_READERS: "readers",
    OIDC_OPERATORS: "operators",
    ...env,
  });
  const findHolder = () => Promise.reject(new Error("A token was checked"));
  const services = { sessions, settings, findHolder, identity: "embedded", embeddedToken };
  const headers = new Headers({ cookie });
  return currentSession(headers, ORIGIN, services, { requestId: "1" });
}

Deno.test("currentSession: has the role of the current settings, or there is no session", async () => {
  const cases = [
    [{ OIDC_OPERATORS: "ops" }, "operator"],
    [{ OIDC_READERS: "ops" }, "reader"],
    [{ OIDC_OPERATORS: "others" }, undefined],
  ] as const;
  for (const [env, role] of cases) assertEquals((await sessionIf(env))?.role, role);
  // Another service is read with the observer's token.
  const env = { OIDC_OPERATORS: "ops" };
  const signedIn = await sessionIf({ ...env, OBSERVER_TOKEN: "observer" }, null);
  assertEquals(signedIn?.token, "observer");
  assertEquals(await sessionIf(env, null), null);
});
