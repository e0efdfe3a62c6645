/** Single-use codes for the sign-in link that the program prints at its start. */
import { sameSecret } from "./same_secret.ts";

/** How long a code can be redeemed. */
export const SIGN_IN_CODE_LIFETIME_MS = 10 * 60 * 1000;

/** The code of the printed sign-in link: at most one is valid at a time. */
export interface SignInCodes {
  /** Makes a code; the one before is void from then on. */
  issue(): string;
  /** Whether this is the valid code; it is void afterwards. */
  redeem(code: string): Promise<boolean>;
}

/** Codes that live in this process alone. `now` is in milliseconds. */
export function createSignInCodes(now: () => number = Date.now): SignInCodes {
  let valid: { code: string; until: number } | null = null;
  return {
    issue() {
      const code = crypto.getRandomValues(new Uint8Array(16)).toHex();
      valid = { code, until: now() + SIGN_IN_CODE_LIFETIME_MS };
      return code;
    },
    async redeem(code) {
      const candidate = valid;
      if (!candidate || now() >= candidate.until) return false;
      if (!await sameSecret(code, candidate.code)) return false;
      // Two requests with the right code may get here together; only one finds it still valid.
      if (valid !== candidate) return false;
      valid = null;
      return true;
    },
  };
}

/** Whether an address is one that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
}

/** A new code to print, where it can't travel: only on a loopback address, and behind no proxy. */
export function printableCode(services: {
  readonly settings: { readonly host: string; readonly publicOrigin: string | null };
  readonly signInCodes: SignInCodes;
}): string | null {
  const { settings: { host, publicOrigin }, signInCodes } = services;
  return isLoopback(host) && publicOrigin === null ? signInCodes.issue() : null;
}
