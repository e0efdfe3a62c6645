/** A cache of answers. A question includes the version of the data, so no answer becomes outdated. */
import { LRUCache } from "lru-cache";
import { createSharedCalls } from "./shared_calls.ts";

/** The most characters of all answers with their questions, and of one answer. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
const LONGEST = 1024 * 1024;

/** A cache of answers; `lengthOf` gives the approximate number of characters of one. */
export function createAnswers<Answer extends object>(
  lengthOf: (answer: Answer) => number,
  mostCharacters = MOST_CHARACTERS,
) {
  const cached = new LRUCache<string, Answer>({
    maxSize: mostCharacters,
    maxEntrySize: LONGEST,
    sizeCalculation: (answer, question) => lengthOf(answer) + question.length,
  });
  const share = createSharedCalls();

  /**
   * The cached answer to a question, or the one that `make` makes. Callers that ask the same
   * meanwhile share one call, which is aborted when none waits any more.
   */
  return async (
    question: string,
    make: (signal: AbortSignal) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> => {
    const known = cached.get(question);
    return known ?? await share(question, signal, async (shared) => {
      const answer = await make(shared);
      cached.set(question, answer);
      return answer;
    });
  };
}
