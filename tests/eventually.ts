/** For what another process does in its own time. */

const PATIENCE_MS = 20_000;

/** Checks again and again until a check holds; throws what the last one threw when it never does. */
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
