/** Colour on a terminal, if wanted. */
import type { Headline } from "../lib/mod.ts";
import type { Io } from "./io.ts";

/** Whether to use colour: on a terminal, unless `NO_COLOR` is set. */
export function usesColour(io: Pick<Io, "out" | "env">): boolean {
  return io.out.isTerminal && !io.env("NO_COLOR");
}

const CODES: Readonly<Record<Headline, number>> = {
  failing: 31,
  overdue: 31,
  empty: 31,
  outside: 31,
  missed: 33,
  changed: 33,
  flaky: 33,
  late: 33,
  healthy: 32,
  new: 90,
  unknown: 90,
};

/** A headline in its colour; the word stays, so that colour alone says nothing. */
export function colouredHeadline(headline: Headline): string {
  return `\x1b[${CODES[headline]}m${headline}\x1b[0m`;
}
