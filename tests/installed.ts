/** Whether a command, such as one that asks for a program's version, runs well on this machine. */
export function isInstalled([name, ...args]: readonly string[]): boolean {
  try {
    return new Deno.Command(name, { args: [...args], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return false;
  }
}
