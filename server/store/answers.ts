/** A cache of small answers. A question includes the version of the data, so no answer is outdated. */
import { LRUCache } from "lru-cache";
import { createSharedCalls } from "./shared_calls.ts";

/** The most characters to cache: of each question, and a rough size for its answer. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
const ANSWER_CHARACTERS = 2000;

export function createAnswers<Answer extends object>() {
  const cached = new LRUCache<string, Answer>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_, question) => ANSWER_CHARACTERS + question.length,
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
