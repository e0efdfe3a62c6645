/**
 * Imports all tests of a folder, so that one worker runs them: to load Playwright and the app, and to
 * start Chromium, costs some three seconds of a processor for each worker.
 */
export async function importTests(folder: URL): Promise<void> {
  const files = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  for (const name of files.filter((name) => name !== "all_test.ts").sort()) {
    await import(new URL(name, folder).href);
  }
}
