/** The settings of signing in by OpenID Connect. */
import { type ReadSetting, requireTogether } from "./observer_settings.ts";
import { check, httpUrl } from "./setting_values.ts";

export const OIDC_VARIABLES = [
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_CLIENT_SECRET_FILE",
  "OIDC_READERS",
  "OIDC_OPERATORS",
  "OIDC_GROUPS_CLAIM",
] as const;

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** The client's secret, or the file with it. */
  readonly clientSecret: string | { readonly file: string };
  /** Groups and email addresses of those who may see, and of those who may also act. */
  readonly readers: readonly string[];
  readonly operators: readonly string[];
  /** The claim with a person's groups. */
  readonly groupsClaim: string;
}

/** Reads the settings; null without any. `report` is called for those that are missing beside others. */
export function readOidcSettings(
  read: ReadSetting,
  report: (variable: string, detail: string) => void,
): OidcSettings | null {
  const text = (name: typeof OIDC_VARIABLES[number]) =>
    read<string | null>(name, null, (value) => value);
  const issuer = read<string | null>("OIDC_ISSUER", null, issuerUrl);
  const clientId = text("OIDC_CLIENT_ID");
  const file = text("OIDC_CLIENT_SECRET_FILE");
  const clientSecret = text("OIDC_CLIENT_SECRET") ?? (file === null ? null : { file });
  const readers = read<readonly string[] | null>("OIDC_READERS", null, members);
  const operators = read<readonly string[] | null>("OIDC_OPERATORS", null, members);
  const groupsClaim = text("OIDC_GROUPS_CLAIM") ?? "groups";
  const secretName = file === null ? "OIDC_CLIENT_SECRET" : "OIDC_CLIENT_SECRET_FILE";
  const needed = ["OIDC_ISSUER", "OIDC_CLIENT_ID", secretName, "OIDC_READERS", "OIDC_OPERATORS"];
  requireTogether(read, report, needed);
  if (!issuer || !clientId || !clientSecret || !readers || !operators) return null;
  return { issuer, clientId, clientSecret, readers, operators, groupsClaim };
}

/** An issuer as the provider writes it: Docket sends it secrets, so TLS is required elsewhere. */
function issuerUrl(text: string): string {
  const { protocol, hostname } = new URL(httpUrl(text));
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  check(protocol === "https:" || isHere, "be an https URL, such as https://login.example.com");
  return text;
}

function members(text: string): readonly string[] {
  const list = text.split(",").map((part) => part.trim());
  check(list.every(Boolean), "be groups or email addresses, separated by commas");
  return list;
}
