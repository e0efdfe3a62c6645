/** Whether a program is installed on this machine. */
export async function isInstalled(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["--version"], stderr: "null", stdout: "null" })
      .output()).success;
  } catch {
    return false;
  }
}
