import { assertEquals, assertThrows } from "@std/assert";
import { readPerson } from "../../../server/auth/identity.ts";
import { OIDC_SETTINGS } from "../../../server/config/oidc_settings.ts";
import { ProblemError } from "../../../server/http/problem.ts";

const entries = (text: string) => OIDC_SETTINGS.readers.parse(text);

type Claims = Readonly<Record<string, unknown>>;

interface Case {
  readonly setting?: string;
  readonly idToken: Claims;
  readonly userInfo?: Claims;
  readonly trustEmail?: boolean;
}

/** What a person with these claims is a member of, where the setting names readers. */
function memberships(one: Case): readonly string[] {
  return personOf(one).memberships;
}

function personOf(
  { setting = "ops,ada@corp.example", idToken, userInfo = {}, trustEmail = false }: Case,
) {
  const names = { readers: entries(setting)!, operators: ["group:none"] };
  const settings = { ...names, groupsClaim: "groups", trustEmail };
  return readPerson({ sub: "ada", ...idToken }, userInfo, settings);
}

const refused = (one: Case) =>
  assertThrows(() => memberships(one), ProblemError, "You are ").problem.detail;

Deno.test("readPerson: an address and its verification come from one answer", () => {
  const [email, other] = ["ada@corp.example", "mallory@evil.example"];
  refused({ idToken: { email }, userInfo: { email: other, email_verified: true } });
  refused({ idToken: { email_verified: true }, userInfo: { email } });
  refused({ idToken: { email_verified: true }, userInfo: { email, email_verified: false } });
  refused({ idToken: { email: other, email_verified: true }, userInfo: { email } });
  const whole = { email, email_verified: true };
  assertEquals(memberships({ idToken: {}, userInfo: whole }), [email]);
  assertEquals(memberships({ idToken: whole, userInfo: { email: other } }), [email]);
});

Deno.test("readPerson: groups are the ID token's or else userinfo's, by their case, and no addresses", () => {
  const userInfo = { groups: ["ops"] };
  assertEquals(memberships({ idToken: {}, userInfo }), ["group:ops"]);
  refused({ idToken: { groups: [] }, userInfo });
  refused({ idToken: { groups: ["Ops"] } });
  const [setting, idToken] = ["group:ada@corp.example", { groups: ["ada@corp.example"] }];
  refused({ idToken });
  assertEquals(memberships({ setting, idToken }), [setting]);
  refused({ setting, idToken: { email: "ada@corp.example", email_verified: true } });
});

Deno.test("readPerson: addresses are the same in any case", () => {
  const idToken = { email: "Ada@Corp.example", email_verified: true };
  assertEquals(memberships({ idToken }), ["ada@corp.example"]);
  assertEquals(memberships({ setting: "ADA@corp.Example", idToken }), ["ada@corp.example"]);
});

Deno.test("readPerson: OIDC_TRUST_EMAIL counts addresses of which the provider says nothing", () => {
  const idToken = { email: "ada@corp.example" };
  refused({ idToken });
  assertEquals(memberships({ idToken, trustEmail: true }), ["ada@corp.example"]);
  refused({ idToken: { ...idToken, email_verified: false }, trustEmail: true });
});

Deno.test("readPerson: too many groups to list are named as that", () => {
  const many = /too many groups for the identity provider to list/;
  const cut = { _claim_names: { groups: "src1" } };
  assertEquals(many.test(refused({ idToken: cut })), true);
  assertEquals(many.test(refused({ idToken: { hasgroups: true } })), true);
  assertEquals(many.test(refused({ idToken: { groups: ["other"] } })), false);
  assertEquals(many.test(refused({ idToken: {} })), false);
  const address = { email: "ada@corp.example", email_verified: true };
  assertEquals(memberships({ idToken: { ...cut, ...address } }), ["ada@corp.example"]);
});

Deno.test("readPerson: names people as the provider does, or by masked address or id", () => {
  const named = (claims: Claims, userInfo: Claims = {}) =>
    personOf({ idToken: { groups: ["ops"], ...claims }, userInfo }).name;
  assertEquals(named({ name: " Ada ", preferred_username: "al" }, { name: "Other" }), "Ada");
  assertEquals(named({ name: " ", preferred_username: "al" }), "al");
  assertEquals(named({}, { name: "Ada", email: "ada@corp.example" }), "Ada");
  assertEquals(named({ email: "ada@corp.example" }), "a…@corp.example");
  assertEquals(named({}), "ada");
});

Deno.test("OIDC_READERS: an entry with commas is quoted", () => {
  const name = "CN=Data,OU=Groups,DC=corp,DC=example";
  assertEquals(entries(`ops, "${name}" ,Ada@Corp.example`), [
    "group:ops",
    `group:${name}`,
    "ada@corp.example",
  ]);
  const idToken = { groups: [name] };
  assertEquals(memberships({ setting: `ops,"${name}"`, idToken }), [`group:${name}`]);
  for (const text of ['ops,"CN=Data', 'CN="Data"', "ops,,all", 'ops,""', "group:"]) {
    assertThrows(() => entries(text), Error, "quote one with a comma");
  }
});
