/** Who signed in by OpenID Connect, as the provider's claims say. */
import { maskAddresses } from "../../lib/runs/recipients.ts";
import type { OidcSettings } from "../config/oidc_settings.ts";
import { ProblemError } from "../http/problem.ts";
import { findRole } from "./role.ts";

export interface OidcPerson {
  readonly subject: string;
  readonly name: string;
  /** Their groups and their address, as the settings write them, if the settings name them. */
  readonly memberships: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

const MAX_NAME = 100;

/**
 * The person whom an ID token is about. Userinfo fills what the token lacks, but never a part of it:
 *
 *     ID token { email }, userinfo { email, email_verified: true }  →  the token's address, not verified
 *
 * @throws {ProblemError} With status 403 if the settings give the person no role
 */
export function readIdentity(
  idToken: Claims & { readonly sub: string },
  userInfo: Claims,
  settings: Pick<OidcSettings, "readers" | "operators" | "groupsClaim" | "trustEmail">,
): OidcPerson {
  const { readers, operators, groupsClaim, trustEmail } = settings;
  /** Where related claims are read: all of them in the ID token if it has any. */
  const holding = (...names: readonly string[]) =>
    names.some((name) => Object.hasOwn(idToken, name)) ? idToken : userInfo;
  const { email, email_verified } = holding("email", "email_verified");
  const groups = holding(groupsClaim)[groupsClaim];
  // Some providers let people enter any address; others never say that they verify addresses.
  const isVerified = email_verified === true || (trustEmail && email_verified === undefined);
  const all = [
    ...[groups ?? []].flat().map((group) => `group:${group}`),
    ...isVerified && typeof email === "string" ? [email.toLowerCase()] : [],
  ];
  const allowed = new Set([...readers, ...operators]);
  const names = [
    idToken.name ?? userInfo.name,
    idToken.preferred_username ?? userInfo.preferred_username,
    email,
    idToken.sub,
  ].filter((name): name is string => typeof name === "string" && name.trim() !== "");
  const person = {
    subject: idToken.sub,
    name: maskAddresses(names[0].trim()).slice(0, MAX_NAME),
    memberships: all.filter((each) => allowed.has(each)),
  };
  if (findRole(person.memberships, settings)) return person;
  const isCut = groups === undefined &&
    [idToken, userInfo].some((claims) => leavesGroupsOut(claims, groupsClaim));
  throw new ProblemError(
    403,
    `You are ${person.name}, but ` +
      (isCut
        ? "you are in too many groups for the identity provider to list them. Whoever runs Docket " +
          "can have it list only the groups that are assigned to Docket, or name your address"
        : "none of your groups, nor your verified address, may use Docket. Whoever runs Docket can " +
          "add one") +
      " in OIDC_READERS or OIDC_OPERATORS",
  );
}

/** Whether a provider says that a person has groups, without listing them. */
function leavesGroupsOut({ _claim_names, hasgroups }: Claims, groupsClaim: string): boolean {
  return Object.hasOwn(Object(_claim_names), groupsClaim) ||
    groupsClaim === "groups" && String(hasgroups) === "true";
}
