/** Prints a line for this person only: not by the console, which Deno's telemetry exports. */
export function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
