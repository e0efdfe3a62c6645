import { assert, assertEquals } from "@std/assert";
import { COMMANDS, OPTIONS } from "../../cli/options.ts";
import { world } from "./world.ts";

async function completionOf(shell: string): Promise<string> {
  const { code, out } = await world().docket("completion", shell);
  assertEquals(code, 0);
  return out;
}

Deno.test("docket completion bash: completes commands, and the options of each", async () => {
  const script = await completionOf("bash");
  const complete = async (...args: string[]) => {
    const list = args.map((word) => `'${word}'`).join(" ");
    const code = `${script}\nCOMP_WORDS=(docket ${list}); COMP_CWORD=${args.length}; _docket\n` +
      `printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await new Deno.Command("bash", { args: ["-c", code] }).output();
    return new TextDecoder().decode(stdout).trim().split("\n");
  };
  assertEquals(await complete("file"), ["filesets"]);
  assertEquals(await complete("filesets", "--pre"), ["--prefetch"]);
  assertEquals(await complete("filesets", "--rec"), [""]);
  assertEquals(await complete("history", "--rec"), ["--recipients"]);
});

Deno.test("docket completion: every command and option is in each script", async () => {
  for (const shell of ["bash", "zsh"]) {
    const script = await completionOf(shell);
    for (const name of [...Object.keys(COMMANDS), ...Object.keys(OPTIONS)]) {
      assert(script.includes(name), `${shell}: ${name}`);
    }
  }
});
