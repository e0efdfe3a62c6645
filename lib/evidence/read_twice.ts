/** Reads all lists of a question twice, and computes the proof of their rows. */
import { isCount } from "../check.ts";
import { ShapeError } from "../errors.ts";
import { timeText } from "../format.ts";
import { type Backend, DEFAULT_LIMIT } from "../client/backend.ts";
import { fileSetSource, runSource } from "../client/walks/lists.ts";
import { walk } from "../client/walks/paging.ts";
import type { PageSource } from "../client/walks/walk.ts";
import {
  defaultStatusDictionary,
  meaningOf,
  type StatusDictionary,
  unknownStatuses,
} from "../runs/status.ts";
import { timeOf } from "../runs/times.ts";
import { rangeTest } from "../search/date_ranges.ts";
import type { FileSet, ReportRun } from "../types.ts";
import { LeafTable } from "./leaf_table.ts";
import {
  type ListReading,
  MAX_LINE,
  type Proof,
  type ProvedList,
  UNKNOWN_STATUS,
} from "./manifest.ts";
import { People } from "./people.ts";
import { listsOf, type ResolvedQuestion, type RowList } from "./question.ts";
import { leafHasher } from "./tree_hash.ts";

/** How to read a list. */
export interface ReadOptions {
  /** Rows on a page. Default: 100. */
  readonly limit?: number;
  /** Pages to request ahead. Default: 4. */
  readonly prefetch?: number;
  /** Aborts the reading. */
  readonly signal?: AbortSignal;
}

/** The progress of making a pack. */
export interface EvidenceProgress {
  /** Number of the reading, from 1. */
  readonly reading: number;
  /** Number of all readings. */
  readonly readings: number;
  /** Number of rows of this reading so far. */
  readonly rows: number;
}

/** How to read lists twice. */
export interface ReadTwiceOptions extends ReadOptions {
  /** The clock. Default: `Date.now`. */
  readonly now?: () => number;
  /** What each status means. Default: the words that are known from the start. */
  readonly statuses?: StatusDictionary;
  /** Called after each page. */
  readonly onProgress?: (progress: EvidenceProgress) => void;
}

type ListedRow = FileSet | ReportRun;

interface ReadNotes {
  requests: number;
  total: number | null;
  readonly drift: Record<string, number>;
}

/** A row that is new in a reading: its index in the table of leaves, and its text. */
interface FreshRow {
  readonly index: number;
  readonly text: string;
  readonly row: ListedRow;
}

export class ReadTwice {
  readonly people: People = new People();
  readonly readings: ListReading[] = [];
  /** The newest good run of each schedule, which shows who was on the list. */
  readonly newest: (ReportRun | undefined)[] = [];
  readonly #backend: Backend;
  readonly #asked: ResolvedQuestion;
  readonly #options: ReadTwiceOptions;
  readonly #lists: readonly RowList[];
  /** The lists of a search have the same rows, so they share a table; ids of histories may repeat. */
  readonly #tables: readonly LeafTable[];
  readonly #leafHash: (text: string) => Uint8Array = leafHasher();
  readonly #statuses: StatusDictionary;
  #inNone = 0;

  constructor(backend: Backend, asked: ResolvedQuestion, options: ReadTwiceOptions) {
    this.#backend = backend;
    this.#asked = asked;
    this.#options = options;
    this.#statuses = options.statuses ?? defaultStatusDictionary();
    this.#lists = listsOf(asked);
    const shared = new LeafTable();
    this.#tables = this.#lists.map(() => asked.body ? shared : new LeafTable());
  }

  /** Reads the first round; yields the lines of items.ndjson. */
  async *items(): AsyncGenerator<string> {
    for (const list of this.#order()) {
      const table = this.#tables[list];
      for await (const rows of this.#read(list, 1)) {
        if (this.#isPart(list)) {
          const unlisted = rows.filter(({ index }) => table.listOf(index) === 0);
          for (const { index } of unlisted) table.setList(index, list);
        } else yield rows.map((row) => this.#lineOf(list, row)).join("");
      }
    }
  }

  /** The proof of the first round, after all items were read. */
  async proof(): Promise<Proof> {
    const lists: ProvedList[] = [];
    // The rows of a search are those of its last reading, which was of all rows.
    const last = this.readings.length;
    for (const [at, list] of this.#lists.entries()) {
      const { size, root } = this.#isPart(at)
        ? await this.#tables[at].rootOf(last, at)
        : this.readings.find((reading) => reading.list === at)!;
      lists.push({ ...list, size, root });
    }
    return { tree: "RFC 6962, SHA-256", lists, inNone: lists.length > 1 ? this.#inNone : 0 };
  }

  /** Reads the second round. */
  async readAgain(): Promise<void> {
    for (const list of this.#order()) for await (const _ of this.#read(list, 2));
  }

  /** Whether a list has only a part of a search's rows. */
  #isPart(list: number): boolean {
    return this.#asked.body !== undefined && list > 0;
  }

  /** The order of reading: all rows of a search come last, when the list of each row is known. */
  #order(): number[] {
    const lists = [...this.#lists.keys()];
    return this.#asked.body ? [...lists.slice(1), 0] : lists;
  }

  async *#read(list: number, round: number): AsyncGenerator<readonly FreshRow[]> {
    const { now = Date.now, onProgress } = this.#options;
    const began = timeText(now());
    const reading = this.readings.length + 1;
    const table = this.#tables[list];
    const notes: ReadNotes = { requests: 0, total: null, drift: {} };
    const unclear: Pick<ReportRun, "status" | "endTime">[] = [];
    let rows = 0;
    for await (const page of readList(this.#backend, this.#lists[list], notes, this.#options)) {
      rows += page.length;
      const fresh: FreshRow[] = [];
      for (const row of page) {
        if (!this.#isWanted(row)) continue;
        if (!this.#asked.body && this.#meaningOf(row) !== "good") {
          const { status, endTime } = row as ReportRun;
          unclear.push({ status, endTime });
        }
        const text = this.people.textOf(row);
        const index = table.indexOf(row.id);
        if (table.addRow(index, reading, this.#leafHash(text))) fresh.push({ index, text, row });
        else notes.drift.repeated = (notes.drift.repeated ?? 0) + 1;
      }
      const readings = this.#lists.length * 2;
      onProgress?.({ reading, readings, rows });
      yield fresh;
    }
    const unknown = unknownStatuses(unclear, this.#statuses).reduce(
      (sum, { runs }) => sum + runs,
      0,
    );
    if (unknown > 0) notes.drift[UNKNOWN_STATUS] = unknown;
    const ended = timeText(now());
    const { size, root } = await table.rootOf(reading);
    this.readings.push({ list, round, began, ended, ...notes, rows, size, root });
  }

  #lineOf(list: number, { index, text, row }: FreshRow): string {
    const table = this.#tables[list];
    if (!this.#asked.body) table.setList(index, list);
    const rowList = table.listOf(index);
    if (this.#asked.body && rowList === 0) this.#inNone++;
    const line = `{"list":${rowList},"row":${text}}\n`;
    if (line.length > MAX_LINE) {
      throw new ShapeError(`${row.id}`, `Row ${row.id} is too long for a pack`);
    }
    this.#noteNewest(list, row);
    return line;
  }

  #isWanted(row: ListedRow): boolean {
    const { since, before } = this.#asked;
    const time = since || before ? timeOf((row as ReportRun).startTime) : undefined;
    return time === undefined || rangeTest({ start: since, end: before })(time);
  }

  #meaningOf(row: ListedRow) {
    return meaningOf((row as ReportRun).status, this.#statuses);
  }

  #noteNewest(list: number, row: ListedRow): void {
    if (this.#asked.kind !== "recipients") return;
    const run = row as ReportRun;
    if (this.#meaningOf(run) !== "good") return;
    const [time, newest] = [run, this.newest[list]].map((each) => timeOf(each?.startTime));
    if (time !== undefined && !(newest !== undefined && newest > time)) this.newest[list] = run;
  }
}

/** Yields the rows of each page of a list, up to an empty page. A row may come again. */
function readList(
  backend: Backend,
  list: RowList,
  notes: ReadNotes,
  options: ReadOptions,
): AsyncGenerator<readonly ListedRow[]> {
  return "body" in list
    ? readPages(fileSetSource(backend, list.body), notes, options)
    : readPages(runSource(backend, list.scheduleId), notes, options);
}

async function* readPages<Page>(
  source: Pick<PageSource<Page, ListedRow>, "getPage" | "read" | "query">,
  notes: ReadNotes,
  { limit = DEFAULT_LIMIT, prefetch = 4, signal }: ReadOptions,
): AsyncGenerator<readonly ListedRow[]> {
  const totals = new Set<number>();
  const pages = walk({
    ...source,
    idOf: ({ id }: ListedRow) => id,
    read: (page: Page) => {
      const { total, ...view } = source.read(page);
      if (isCount(total)) totals.add(notes.total = total);
      // Without a total, the walk continues until a page is empty.
      return view;
    },
    limit,
    offset: 0,
  }, { verify: true, prefetch, ...(signal && { signal }) });
  let last: ListedRow["id"] | undefined;
  let rows = 0;
  for await (const page of pages.pages()) {
    const { items } = source.read(page);
    // Each page repeats the last row of the page before.
    const fresh = items[0]?.id === last ? items.slice(1) : items;
    last = items.at(-1)?.id ?? last;
    rows += fresh.length;
    notes.requests = pages.report.pages;
    yield fresh;
  }
  notes.requests = pages.report.pages;
  for (const { kind } of pages.report.drift) notes.drift[kind] = (notes.drift[kind] ?? 0) + 1;
  const wrong = [...totals].filter((total) => total !== rows).length;
  if (wrong > 0) notes.drift.total = wrong;
}
