/** Colour on a terminal, if wanted. */
import type { Io } from "./io.ts";

/** Whether to use colour: on a terminal, unless `NO_COLOR` is set. */
export function usesColour(io: Pick<Io, "out" | "env">): boolean {
  return io.out.isTerminal && !io.env("NO_COLOR");
}

/** A state in its colour; the word stays, so that colour alone says nothing. */
export function colouredState(state: string): string {
  const codes: Readonly<Record<string, number>> = { up: 32, late: 33, down: 31 };
  return `\x1b[${codes[state] ?? 90}m${state}\x1b[0m`;
}
