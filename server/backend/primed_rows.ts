/** The rows of a download whose first row has already arrived. */
import { markLogged } from "../log/log_problem.ts";

/**
 * Waits for the first row, so that an error before it gets a response of its own instead of a broken
 * file. An error after it goes to `onError`; the response stream only sees that there was one, because
 * the runtime prints stream errors with everything they carry, email addresses included.
 *
 * @throws the error before the first row
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
      throw markLogged(new Error("The download was interrupted"));
    } finally {
      await iterator.return?.();
    }
  })();
}
