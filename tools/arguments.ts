/** Reads at most `most` arguments; `--help` and further arguments end the program. */
export function readArguments(help: string, most: number): readonly string[] {
  if (Deno.args.includes("--help")) {
    console.log(help);
    Deno.exit(0);
  }
  const wrong = Deno.args.find((argument) => argument.startsWith("-")) ?? Deno.args[most];
  if (wrong !== undefined) {
    console.error(`Unexpected argument: "${wrong}"; see --help`);
    Deno.exit(2);
  }
  return Deno.args;
}
