import { assertEquals, assertThrows } from "@std/assert";
import { readIdentity } from "../../../server/auth/identity.ts";
import { OIDC_SETTINGS } from "../../../server/config/oidc_settings.ts";
import { ProblemError } from "../../../server/http/problem.ts";

const entries = (text: string) => OIDC_SETTINGS.readers.parse(text);

interface Case {
  /** OIDC_READERS. */
  readonly setting?: string;
  readonly idToken?: object;
  readonly userInfo?: object;
  readonly trustEmail?: boolean;
}

function personOf(
  { setting = "ops,ada@corp.example", idToken, userInfo = {}, trustEmail = false }: Case,
) {
  const names = { readers: entries(setting)!, operators: ["group:none"] };
  const settings = { ...names, groupsClaim: "groups", trustEmail };
  return readIdentity({ sub: "ada", ...idToken }, { ...userInfo }, settings);
}

const [email, other] = ["ada@corp.example", "mallory@evil.example"];
const [verified, groups] = [{ email, email_verified: true }, { groups: ["ops"] }];
const named = `group:${email}`;
const cut = { _claim_names: { groups: "src1" } };
const NONE = "none of your groups, nor your verified address";
const TOO_MANY = "too many groups for the identity provider to list";

/** Claims, and the groups and addresses that count, or why the person is refused. */
const CASES: readonly (readonly [Case, string])[] = [
  // An address and its verification come from one answer.
  [{ idToken: { email }, userInfo: { email: other, email_verified: true } }, NONE],
  [{ idToken: { email_verified: true }, userInfo: { email } }, NONE],
  [{ idToken: { email: other, email_verified: true }, userInfo: { email } }, NONE],
  [{ userInfo: verified }, email],
  [{ idToken: verified, userInfo: { email: other } }, email],
  [{ setting: "ADA@corp.Example", idToken: { ...verified, email: "Ada@Corp.example" } }, email],
  // With OIDC_TRUST_EMAIL, an address counts, too, if the provider does not say it is verified.
  [{ idToken: { email } }, NONE],
  [{ idToken: { email }, trustEmail: true }, email],
  [{ idToken: { email, email_verified: false }, trustEmail: true }, NONE],
  // Groups are the ID token's or else userinfo's, by their case, and no addresses.
  [{ userInfo: groups }, "group:ops"],
  [{ idToken: { groups: [] }, userInfo: groups }, NONE],
  [{ idToken: { groups: ["Ops"] } }, NONE],
  [{ idToken: { groups: [email] } }, NONE],
  [{ setting: named, idToken: { groups: [email] } }, named],
  [{ setting: named, idToken: verified }, NONE],
  // Groups that are too many to list.
  [{ idToken: cut }, TOO_MANY],
  [{ idToken: { hasgroups: true } }, TOO_MANY],
  [{ idToken: { ...cut, ...verified } }, email],
];

Deno.test("readIdentity: verified addresses, and groups, each as one answer says all of them", () => {
  for (const [one, expected] of CASES) {
    const refused = expected === NONE || expected === TOO_MANY;
    if (refused) assertThrows(() => personOf(one), ProblemError, expected);
    else assertEquals(personOf(one).memberships, [expected]);
  }
  // An address that names somebody is masked.
  assertEquals(personOf({ idToken: { ...groups, email } }).name, "a…@corp.example");
});
