import { assertEquals } from "@std/assert";
import { createSessions } from "../../../server/auth/sessions.ts";
import { currentSession } from "../../../server/backend/current_session.ts";
import { readSettings } from "../../../server/config/settings.ts";

const ORIGIN = "http://localhost:8000";

Deno.test("currentSession: has the role of the current settings, or there is no session", async () => {
  const sessions = createSessions(["session-key-".repeat(4)]);
  const answer = new Headers();
  const oidc = { subject: "1", name: "Ada", memberships: ["group:ops"] };
  await sessions.write(answer, { token: null, service: "embedded", oidc }, ORIGIN);
  const cookie = answer.getSetCookie().map((each) => each.split(";")[0]).join("; ");
  const roleIf = async (env: Record<string, string>) => {
    const settings = readSettings({
      OIDC_ISSUER: "https://id.example.com",
      OIDC_CLIENT_ID: "docket",
      OIDC_CLIENT_SECRET: "secret",
      OIDC_READERS: "readers",
      OIDC_OPERATORS: "operators",
      ...env,
    });
    const holderOf = () => Promise.reject(new Error("A token was checked"));
    const services = { sessions, settings, holderOf, identity: "embedded", embeddedToken: "token" };
    const headers = new Headers({ cookie });
    const signedIn = await currentSession(headers, ORIGIN, services, { requestId: "1" });
    return signedIn ? signedIn.role : "no session";
  };
  assertEquals(await roleIf({ OIDC_OPERATORS: "ops" }), "operator");
  assertEquals(await roleIf({ OIDC_READERS: "ops" }), "reader");
  assertEquals(await roleIf({ OIDC_OPERATORS: "others" }), "no session");
});
