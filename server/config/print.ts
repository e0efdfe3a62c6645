/**
 * Prints a line for the person who started the program. Not with the console, because Deno's telemetry
 * exports that, and the sign-in link is for this person only.
 */
export function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
