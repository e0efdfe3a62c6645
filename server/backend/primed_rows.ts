/** The rows of a download that has begun. */
import { markLogged } from "../log/log_problem.ts";

/**
 * Waits for the first row, so that a refusal is an answer of its own and not a broken file. What ends
 * the rows early is told to `onError` alone; who sends them learns only that there was something,
 * because the runtime prints an error of an answer with all that it carries, addresses included.
 *
 * @throws what the rows fail with before the first
 */
export async function primedRows<Row>(
  rows: AsyncIterable<Row>,
  onError: (error: unknown) => void,
): Promise<AsyncIterable<Row>> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      if (first.done) return;
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } catch (error) {
      onError(error);
      throw markLogged(new Error("The download was cut off"));
    } finally {
      await iterator.return?.();
    }
  })();
}
