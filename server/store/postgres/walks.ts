/**
 * For callers that read a search page by page, as exports do: continues where the last page ended,
 * and reads the ids of more and more pages at once. So everything is sorted a few times, and not
 * once for each page.
 */
import { abortable } from "@std/async/abortable";

interface PlaceOfPage {
  readonly offset: number;
  readonly limit: number;
}

interface Walk {
  readonly search: string;
  /** The last row that was read, and the offset behind it. */
  row: string;
  position: number;
  /** Known ids, and the offset of the first. */
  ids: readonly string[];
  start: number;
  /** Whether no row follows the known ids. */
  isEnd: boolean;
  ahead: number;
  reading?: Promise<unknown>;
}

/** How many walks are remembered; a search may be so long itself that none is. */
const MOST_WALKS = 50;
const LONGEST_SEARCH = 16_000;
/** How many ids are read at once, and known in all walks together: some 30 MB. */
const MOST_AHEAD = 65_536;
const MOST_IDS = 500_000;
/** Pages may be asked for before the ones in front of them were answered: so many at most. */
const MOST_IN_FLIGHT = 20;

/** Walks of one database; the one that was used longest ago is forgotten first. */
export function createWalks(mostAhead = MOST_AHEAD, mostIds = MOST_IDS) {
  const walks = new Set<Walk>();

  function find(search: string, { offset, limit }: PlaceOfPage): Walk | undefined {
    for (const walk of walks) {
      if (walk.search !== search) continue;
      const pages = (offset - walk.position) / limit;
      if ((pages >= 0 && pages <= MOST_IN_FLIGHT) || knownIds(walk, { offset, limit })) return walk;
    }
  }

  /** Keeps a walk as the one that was used last. */
  function keep(walk: Walk): void {
    walks.delete(walk);
    walks.add(walk);
    let ids = 0;
    for (const { ids: { length } } of walks) ids += length;
    for (const oldest of walks) {
      if (walks.size <= MOST_WALKS && ids <= mostIds) break;
      walks.delete(oldest);
      ids -= oldest.ids.length;
    }
  }

  async function readAhead(
    walk: Walk,
    { offset, limit }: PlaceOfPage,
    readOn: (row: string, count: number) => Promise<readonly string[]>,
  ): Promise<void> {
    const { position } = walk;
    const count = offset - position + Math.max(limit, walk.ahead);
    const ids = await readOn(walk.row, count);
    Object.assign(walk, { ids, start: position, isEnd: ids.length < count });
    walk.ahead = Math.min(2 * walk.ahead, mostAhead);
    keep(walk);
  }

  return {
    /**
     * The ids of a page, or undefined if no walk leads there.
     *
     * @param search Names the search and the version of the data.
     * @param readOn Gives the next ids behind a row, which is JSON; fewer than asked for are the last.
     */
    async idsOf(
      search: string,
      page: PlaceOfPage,
      readOn: (row: string, count: number) => Promise<readonly string[]>,
      signal?: AbortSignal,
    ) {
      for (let walk = find(search, page); walk; walk = find(search, page)) {
        const ids = knownIds(walk, page);
        if (ids) return ids;
        if (walk.reading) {
          // What another request reads may hold this page, too. If that fails, this one reads.
          const other = walk.reading.catch(() => {});
          await (signal ? abortable(other, signal) : other);
          continue;
        }
        walk.reading = readAhead(walk, page, readOn);
        try {
          await walk.reading;
        } finally {
          walk.reading = undefined;
        }
      }
    },

    /** Takes note of the rows of a page, as JSON. */
    note(search: string, { offset, limit }: PlaceOfPage, rows: readonly string[]): void {
      if (search.length > LONGEST_SEARCH || rows.length < limit) return;
      const walk = find(search, { offset, limit }) ?? {
        search,
        row: "",
        position: 0,
        ids: [],
        start: 0,
        isEnd: false,
        ahead: limit,
      };
      const position = offset + rows.length;
      if (position > walk.position) Object.assign(walk, { position, row: rows.at(-1) });
      keep(walk);
    },
  };
}

function knownIds({ ids, start, isEnd }: Walk, { offset, limit }: PlaceOfPage) {
  const from = offset - start;
  if (from < 0 || (from + limit > ids.length && !isEnd)) return undefined;
  return ids.slice(from, from + limit);
}
