/** A cache of answers, as the JSON that is sent, while the data doesn't change. */
import { createSharedCalls } from "./shared_calls.ts";

export interface JsonRows {
  readonly json: string;
  readonly count: number;
  /** Names question and version of the data: never the same for other rows. */
  readonly version: string;
}

/** The most characters of all kept answers together, and of one of them. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
const LONGEST = 1024 * 1024;

/** An answer is cached when its question is repeated within this many questions. */
const MOST_ASKED = 1000;

export type Answers = ReturnType<typeof createAnswers>;

/** A cache of answers; the least recently used is removed first. */
export function createAnswers(mostCharacters = MOST_CHARACTERS) {
  const kept = new Map<string, JsonRows>();
  const asked = new Set<string>();
  const share = createSharedCalls();
  let characters = 0;

  function remove(question: string): void {
    const rows = kept.get(question);
    if (!rows) return;
    kept.delete(question);
    characters -= question.length + rows.json.length;
  }

  function keep(question: string, made: JsonRows): void {
    if (!asked.delete(question)) {
      asked.add(question);
      if (asked.size > MOST_ASKED) asked.delete(asked.keys().next().value!);
      return;
    }
    const size = question.length + made.json.length;
    if (size > LONGEST) return;
    remove(question);
    kept.set(question, made);
    characters += size;
    for (const oldest of kept.keys()) {
      if (characters <= mostCharacters) break;
      remove(oldest);
    }
  }

  /**
   * Returns the cached answer to a question, or makes it; a question includes the version of the
   * data. Callers that ask the same meanwhile share one call, which is aborted when none waits any
   * more.
   */
  return async (
    question: string,
    make: (signal: AbortSignal) => Promise<Omit<JsonRows, "version">>,
    signal?: AbortSignal,
  ): Promise<JsonRows> => {
    const known = kept.get(question);
    if (known) {
      kept.delete(question);
      kept.set(question, known);
      return known;
    }
    return await share(question, signal, async (shared) => {
      const made = { ...await make(shared), version: question };
      keep(question, made);
      return made;
    });
  };
}
