/** What a service's answers to searches for file sets show of it, since this process started. */
import { OPERATORS, ORDERS } from "../../lib/fields.ts";
import { plainSearch } from "../../lib/search/match_file_sets.ts";
import type { FileSetPage, SearchInput } from "../../lib/types.ts";

const NAMES: readonly string[] = [...OPERATORS, ...ORDERS];

export type SearchAnswers = ReturnType<ReturnType<typeof createSearchAnswers>["get"]>;

/** The embedded service, which nobody needs to ask. */
export const KNOWN_ANSWERS: SearchAnswers = {
  taken: [...NAMES],
  refused: [],
  unasked: [],
  givesTotals: true,
};

export function createSearchAnswers(now: () => number) {
  const taken = new Set<string>();
  const refused = new Map<string, number>();
  let givesTotals: boolean | null = null;
  return {
    onRefused: (name: string, until: number) => {
      taken.delete(name);
      refused.set(name, until);
    },
    /** Returns the answer to a search, and remembers what it shows. */
    async watch(body: SearchInput = {}, answer: PromiseLike<FileSetPage>): Promise<FileSetPage> {
      const page = await answer;
      for (const name of namesIn(body)) {
        taken.add(name);
        refused.delete(name);
      }
      givesTotals = page.pageContext.total !== undefined;
      return page;
    },
    /** The operators and orders that it took, those that it refused until a time, and all others. */
    get() {
      const current = [...refused].map(([name, until]) => ({ name, until }))
        .filter(({ until }) => until > now());
      const known = new Set([...taken, ...current.map(({ name }) => name)]);
      return {
        taken: [...taken],
        refused: current,
        unasked: NAMES.filter((name) => !known.has(name)),
        givesTotals,
      };
    },
  };
}

function namesIn(input: SearchInput): readonly string[] {
  const { filters = [], fieldSort = [] } = plainSearch(input);
  return [
    ...filters.map(({ operator = "EQUALS" }) => operator),
    ...fieldSort.map(({ order = "ASC" }) => order),
  ];
}
