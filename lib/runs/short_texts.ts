/** Shortens the texts of runs, because a page shows many of them. */
import { shorten } from "../format.ts";
import type { ReportRun } from "../types.ts";

const MAX_CHARACTERS = 1000;

/** The run with long texts shortened; the same object if none is long. */
export function withShortTexts(run: ReportRun): ReportRun {
  const short = shortened(run, (text) => shorten(text, MAX_CHARACTERS));
  const hasLong = run.recipients?.some(({ displayName, emailAddress }) =>
    isLong(displayName) || isLong(emailAddress)
  );
  // The beginning of an address could not be masked, so a long one is replaced as a whole.
  return hasLong
    ? { ...short, recipients: run.recipients!.map((each) => shortened(each, () => "…")) }
    : short;
}

/** The row with its long texts replaced; the same object if none is long. */
function shortened<Row extends object>(row: Row, replace: (text: string) => string): Row {
  const long = Object.entries(row).filter(([, value]) => isLong(value));
  if (long.length === 0) return row;
  return { ...row, ...Object.fromEntries(long.map(([name, text]) => [name, replace(text)])) };
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && value.length > MAX_CHARACTERS;
}
