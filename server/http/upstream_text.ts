import { maskAddresses } from "../../lib/runs/mask.ts";
import { shorten } from "../../lib/format.ts";

/** Enough to say what is wrong; an upstream may send pages of text. */
const MAX_CHARACTERS = 500;

/** Text of an upstream that may be shown: with email addresses masked, and shortened. */
export function safeUpstreamText(text: string): string {
  // First the masking: half an address could not be recognized.
  return shorten(maskAddresses(text), MAX_CHARACTERS);
}
