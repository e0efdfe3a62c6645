/** Single-use codes for the sign-in link that the program prints at start. */
import { isLoopback } from "../http/host.ts";
import { sameSecret } from "./sealing.ts";

const SIGN_IN_CODE_LIFETIME_MS = 10 * 60 * 1000;

/** Codes of printed sign-in links; at most one is valid at a time. */
export function createSignInCodes(now: () => number = Date.now) {
  let valid: { code: string; until: number } | null = null;
  return {
    issue(): string {
      const code = crypto.getRandomValues(new Uint8Array(16)).toHex();
      valid = { code, until: now() + SIGN_IN_CODE_LIFETIME_MS };
      return code;
    },
    /** Whether this is the valid code, which is then used up. */
    redeem(code: string): boolean {
      if (!valid || now() >= valid.until || !sameSecret(code, valid.code)) return false;
      valid = null;
      return true;
    },
  };
}

/** A new code to print, or null unless Docket listens on a loopback address and behind no proxy. */
export function printableCode(services: {
  readonly settings: { readonly host: string; readonly publicOrigin: string | null };
  readonly signInCodes: ReturnType<typeof createSignInCodes>;
}): string | null {
  const { settings: { host, publicOrigin }, signInCodes } = services;
  return isLoopback(host) && publicOrigin === null ? signInCodes.issue() : null;
}
