/** Prints a line for this person only: not by the console, which Deno's telemetry exports. */
export function print(line: string): void {
  tryToWrite(() => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`)));
}

/** Writes to a stream of the program. Where its disk is full, or nobody reads it, a line is lost. */
export function tryToWrite(write: () => void): void {
  try {
    write();
  } catch {
    // Docket goes on; there is nowhere to say this.
  }
}
