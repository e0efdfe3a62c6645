/** Waits for what another process does in its own time. */

const PATIENCE_MS = 20_000;

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
