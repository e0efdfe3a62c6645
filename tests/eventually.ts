/** Waits for what another process does in its own time. */

/** Only a test that fails waits as long: the machine may be busy with much else. */
const PATIENCE_MS = 120_000;

/** Repeats a check until it holds, and throws its last error if it never does. */
export async function eventually<T>(check: () => Promise<T> | T): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  while (true) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
