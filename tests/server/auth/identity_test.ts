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

const [email, other] = ["ada@corp.example", "mallory@evil.example"];
const [verified, groups] = [{ email, email_verified: true }, { groups: ["ops"] }];
const named = `group:${email}`;

/** Claims, and the groups and addresses that count; somebody without any is refused. */
const CASES: readonly (readonly [Case, ...string[]])[] = [
  // An address and its verification come from one answer.
  [{ idToken: { email }, userInfo: { email: other, email_verified: true } }],
  [{ idToken: { email_verified: true }, userInfo: { email } }],
  [{ idToken: { email: other, email_verified: true }, userInfo: { email } }],
  [{ idToken: {}, userInfo: verified }, email],
  [{ idToken: verified, userInfo: { email: other } }, email],
  [{ idToken: { email_verified: true, email: "Ada@Corp.example" } }, email],
  [{ setting: "ADA@corp.Example", idToken: verified }, email],
  // With OIDC_TRUST_EMAIL, an address counts, too, if the provider does not say it is verified.
  [{ idToken: { email } }],
  [{ idToken: { email }, trustEmail: true }, email],
  [{ idToken: { email, email_verified: false }, trustEmail: true }],
  // Groups are the ID token's or else userinfo's, by their case, and no addresses.
  [{ idToken: {}, userInfo: groups }, "group:ops"],
  [{ idToken: { groups: [] }, userInfo: groups }],
  [{ idToken: { groups: ["Ops"] } }],
  [{ idToken: { groups: [email] } }],
  [{ setting: named, idToken: { groups: [email] } }, named],
  [{ setting: named, idToken: verified }],
];

Deno.test("readPerson: verified addresses, and groups, each as one answer says all of them", () => {
  for (const [one, ...expected] of CASES) {
    if (expected.length === 0) refused(one);
    else assertEquals(memberships(one), expected);
  }
});

Deno.test("readPerson: too many groups to list are named as that", () => {
  const many = /too many groups for the identity provider to list/;
  const cut = { _claim_names: { groups: "src1" } };
  assertEquals(many.test(refused({ idToken: cut })), true);
  assertEquals(many.test(refused({ idToken: { hasgroups: true } })), true);
  assertEquals(many.test(refused({ idToken: { groups: ["other"] } })), false);
  assertEquals(many.test(refused({ idToken: {} })), false);
  assertEquals(memberships({ idToken: { ...cut, ...verified } }), [email]);
});

Deno.test("readPerson: names people as the provider does, or by masked address or id", () => {
  const nameOf = (claims: Claims, userInfo: Claims = {}) =>
    personOf({ idToken: { groups: ["ops"], ...claims }, userInfo }).name;
  assertEquals(nameOf({ name: " Ada ", preferred_username: "al" }, { name: "Other" }), "Ada");
  assertEquals(nameOf({ name: " ", preferred_username: "al" }), "al");
  assertEquals(nameOf({}, { name: "Ada", email }), "Ada");
  assertEquals(nameOf({ email }), "a…@corp.example");
  assertEquals(nameOf({}), "ada");
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
