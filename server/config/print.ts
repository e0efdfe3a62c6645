/**
 * Prints a line for the person who started the program. Not by way of the console: Deno's telemetry
 * exports what that prints, and the link to sign in with is for one person's eyes.
 */
export function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
