/** Exports file sets in the browser: walks all that match and saves them as a file. */
import { createClient } from "../../lib/client.ts";
import { isDocketError } from "../../lib/errors.ts";
import { systemRuntime } from "../../lib/runtime.ts";
import type { FileSet } from "../../lib/types.ts";
import { EXPORT_FORMATS, exportFileName, type ExportFormat } from "./export_formats.ts";
import { exportStream } from "./export_stream.ts";
import type { FileSetsView } from "./file_sets_view.ts";
import { formatCount } from "../ui/format.ts";
import { LONGEST_PAUSE_SECONDS, troubleOf } from "../page/trouble.ts";

/** Rows of one call, and how many calls are under way at once. */
const PAGE_LIMIT = 500;
const PREFETCH = 3;

/** What came of an export. */
export interface ExportOutcome {
  readonly words: string;
  /** Whether it is not the whole file that was asked for. */
  readonly bad: boolean;
}

/** Walks all that a view's search matches and saves it; says how far it is, and what came of it. */
export async function exportFileSets(
  view: FileSetsView,
  format: ExportFormat,
  { signal, onProgress }: {
    readonly signal: AbortSignal;
    readonly onProgress: (words: string) => void;
  },
): Promise<ExportOutcome> {
  // The service's own process retries; a second place would multiply the attempts.
  const client = createClient({ baseUrl: location.origin, token: null, attempts: 1 });
  const search = client.fileSets.search(view.body, { limit: PAGE_LIMIT, signal });
  let walk = search.walk({ prefetch: PREFETCH });
  let changed = false;

  /** All rows; where the service asks for a pause it is kept, and the walk goes on from there. */
  async function* rows(): AsyncGenerator<FileSet> {
    for (;;) {
      try {
        return yield* walk;
      } catch (error) {
        const waitMs = isDocketError(error) && error.kind === "http" && error.retryAfterMs;
        if (!waitMs || waitMs > LONGEST_PAUSE_SECONDS * 1000) throw error;
        changed ||= walk.report.driftCount > 0;
        const pause = `a pause of ${Math.ceil(waitMs / 1000)} s`;
        onProgress(`${formatCount(walk.report.items)} rows; the service asked for ${pause}`);
        await systemRuntime().sleep(waitMs, signal);
        walk = search.walk({ prefetch: PREFETCH, resume: walk.checkpoint() });
      }
    }
  }

  try {
    const told = counted(rows(), (count) => onProgress(progressWords(count, walk.report.total)));
    const blob = await new Response(exportStream(format, told, view.columns)).blob();
    const { items } = walk.report;
    const complete = walk.report.complete && !changed;
    const name = exportFileName(format, new Date(), complete);
    save(new Blob([blob], { type: EXPORT_FORMATS[format].type }), name);
    return outcome(name, items, complete);
  } catch (error) {
    if (signal.aborted) return { words: "The export was stopped; no file was made.", bad: false };
    const { title, detail } = troubleOf(error);
    return { words: `No file was made. ${title}: ${detail}`, bad: true };
  }
}

/** Tells after each some rows how many there were. */
async function* counted<Row>(
  rows: AsyncIterable<Row>,
  tell: (count: number) => void,
): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows) {
    if (++count % PAGE_LIMIT === 0) tell(count);
    yield row;
  }
}

function progressWords(count: number, total: number | undefined): string {
  const of = total === undefined ? "" : ` of ${formatCount(total)}`;
  return `${formatCount(count)}${of} rows`;
}

function outcome(name: string, items: number, complete: boolean): ExportOutcome {
  const words = complete
    ? `${name} has all ${formatCount(items)} rows.`
    : `${name} has ${formatCount(items)} rows, but rows changed meanwhile: some may be missing.`;
  return { words, bad: !complete };
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
