/** Gives the work an empty folder, and removes it afterwards. */
export async function withFolder<Result>(
  work: (folder: string) => Result | Promise<Result>,
  options?: Deno.MakeTempOptions,
): Promise<Result> {
  const folder = await Deno.makeTempDir(options);
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
