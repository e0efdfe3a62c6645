import { maskAddresses } from "../../lib/runs/mask.ts";

/** So much says what is wrong; an upstream may answer with pages of it. */
const MOST_CHARACTERS = 500;

/** An upstream's words as they may be repeated: without addresses of recipients, and not for long. */
export function safeUpstreamText(words: string): string {
  // An address that is cut in half could no longer be found.
  const masked = maskAddresses(words);
  if (masked.length <= MOST_CHARACTERS) return masked;
  return `${masked.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
}
