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
  const cookie = answer.getSetCookie().map((each) => each.split(";")[0]).join("; ");
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
  const roleIf = async (env: Record<string, string>) => (await sessionIf(env))?.role;
  assertEquals(await roleIf({ OIDC_OPERATORS: "ops" }), "operator");
  assertEquals(await roleIf({ OIDC_READERS: "ops" }), "reader");
  assertEquals(await sessionIf({ OIDC_OPERATORS: "others" }), null);
});

Deno.test("currentSession: by OIDC, another service is read with the observer's token", async () => {
  const env = { OIDC_OPERATORS: "ops" };
  const signedIn = await sessionIf({ ...env, OBSERVER_TOKEN: "observer" }, null);
  assertEquals(signedIn?.token, "observer");
  assertEquals(await sessionIf(env, null), null);
});
