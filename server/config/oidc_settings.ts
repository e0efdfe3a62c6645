/** The settings of signing in by OpenID Connect. */
import { optional, setting, type SettingsReader } from "./setting_table.ts";
import { check, httpUrl, isOn } from "./setting_values.ts";

const anyText = (text: string) => text;

export const OIDC_SETTINGS = {
  issuer: optional("OIDC_ISSUER", issuerUrl),
  clientId: optional("OIDC_CLIENT_ID", anyText),
  secret: optional("OIDC_CLIENT_SECRET", anyText),
  file: optional("OIDC_CLIENT_SECRET_FILE", anyText),
  /** Groups and email addresses of those who may see, and of those who may also act. */
  readers: optional("OIDC_READERS", members),
  operators: optional("OIDC_OPERATORS", members),
  groupsClaim: setting("OIDC_GROUPS_CLAIM", anyText, "groups"),
  /** Whether addresses count that the provider does not call verified, nor unverified. */
  trustEmail: setting("OIDC_TRUST_EMAIL", isOn, false),
};

export type OidcSettings = NonNullable<ReturnType<typeof readOidcSettings>>;

export function readOidcSettings(reader: SettingsReader) {
  const { secret, file, ...settings } = reader.read(OIDC_SETTINGS);
  const secretName = file === null ? "OIDC_CLIENT_SECRET" : "OIDC_CLIENT_SECRET_FILE";
  reader.requireTogether(
    "OIDC_ISSUER",
    "OIDC_CLIENT_ID",
    secretName,
    "OIDC_READERS",
    "OIDC_OPERATORS",
  );
  const { issuer, clientId, readers, operators, ...claims } = settings;
  const clientSecret = secret ?? (file === null ? null : { file });
  if (!issuer || !clientId || !clientSecret || !readers || !operators) return null;
  return { issuer, clientId, clientSecret, readers, operators, ...claims };
}

/**
 * Groups and addresses, separated by commas; one with a comma is quoted. Addresses have an `@`.
 *
 *     ops, Ada@Example.com, group:a@b, "CN=Data,OU=Groups"
 *       →  group:ops  ada@example.com  group:a@b  group:CN=Data,OU=Groups
 */
function members(text: string): readonly string[] {
  const entries = [...text.matchAll(/(?:^|,)\s*(?:"([^"]*)"|([^",]*))\s*(?=,|$)/g)];
  const names = entries.map(([, quoted, plain]) => (quoted ?? plain).trim());
  const isWhole = entries.map(([all]) => all).join("") === text;
  check(
    isWhole && names.every((name) => name !== "" && name !== "group:"),
    'be groups or email addresses, separated by commas; quote one with a comma: "CN=Data,OU=Groups"',
  );
  return names.map((name) =>
    name.startsWith("group:") ? name : name.includes("@") ? name.toLowerCase() : `group:${name}`
  );
}

/** An issuer as the provider writes it: Docket sends it secrets, so TLS is required elsewhere. */
function issuerUrl(text: string): string {
  const { protocol, hostname } = new URL(httpUrl(text));
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  check(protocol === "https:" || isHere, "be an https URL, such as https://login.example.com");
  return text;
}
