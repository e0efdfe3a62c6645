/** Shortens the texts of runs, because a page shows many of them. */
import { shorten } from "../format.ts";
import type { Recipient, ReportRun } from "../types.ts";

const MAX_CHARACTERS = 1000;

/** The run with long texts shortened; the same object if none is long. */
export function withShortTexts(run: ReportRun): ReportRun {
  const long = Object.entries(run).filter(([, value]) => isLong(value));
  const hasLong = run.recipients?.some(isLongRecipient) ?? false;
  if (long.length === 0 && !hasLong) return run;
  return {
    ...run,
    ...Object.fromEntries(long.map(([name, text]) => [name, shorten(text, MAX_CHARACTERS)])),
    ...(hasLong && { recipients: run.recipients?.map(shortRecipient) }),
  };
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && value.length > MAX_CHARACTERS;
}

function isLongRecipient({ displayName, emailAddress }: Recipient): boolean {
  return isLong(displayName) || isLong(emailAddress);
}

/** Replaces long texts as a whole, because the beginning of an address could not be masked. */
function shortRecipient(recipient: Recipient): Recipient {
  const { displayName, emailAddress } = recipient;
  return {
    ...recipient,
    ...(isLong(displayName) && { displayName: "…" }),
    ...(isLong(emailAddress) && { emailAddress: "…" }),
  };
}
