/**
 * Prints a line for the person who started the program. It does not use the console, which Deno's
 * telemetry exports: the sign-in link is for this person only.
 */
export function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
