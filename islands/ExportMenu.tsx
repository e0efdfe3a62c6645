import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import {
  EXPORT_FORMATS,
  exportFileName,
  type ExportFormat,
  exportStream,
} from "../components/export_formats.ts";
import { exportHref, type FileSetsView } from "../components/file_sets_view.ts";
import { formatCount } from "../components/format.ts";
import { troubleOf } from "../components/trouble.ts";
import { createClient } from "../lib/client.ts";
import type { WalkReport } from "../lib/walk.ts";

/** Rows of one call, and how many calls are under way at once. */
const PAGE_LIMIT = 500;
const PREFETCH = 3;

/** How an export goes. */
type Progress =
  | { readonly state: "none" }
  | { readonly state: "running"; readonly rows: number; readonly total?: number }
  | { readonly state: "done"; readonly words: string; readonly bad: boolean };

/**
 * Exports everything that a search matches. Without JavaScript the links have the server stream the
 * file; in the browser the rows are walked here, so that one sees how far it is and can stop it.
 */
export function ExportMenu({ view }: { readonly view: FileSetsView }) {
  const progress = useSignal<Progress>({ state: "none" });
  const running = useRef<AbortController>();
  useEffect(() => () => running.current?.abort(), []);

  async function run(format: ExportFormat) {
    const { signal } = running.current = new AbortController();
    progress.value = { state: "running", rows: 0 };
    const client = createClient({ baseUrl: location.origin, token: null });
    const walk = client.fileSets.search(view.body, { limit: PAGE_LIMIT, signal })
      .walk({ prefetch: PREFETCH });
    const rows = counted(walk, (count) => {
      const { total } = walk.report;
      progress.value = { state: "running", rows: count, total };
    });
    try {
      const stream = exportStream(format, rows, view.columns);
      const blob = await new Response(stream).blob();
      const name = exportFileName(format, new Date(), walk.report.complete);
      save(new Blob([blob], { type: EXPORT_FORMATS[format].type }), name);
      progress.value = { state: "done", ...outcome(name, walk.report) };
    } catch (error) {
      const words = signal.aborted
        ? "The export was stopped; no file was made."
        : `No file was made. ${troubleOf(error).title}: ${troubleOf(error).detail}`;
      progress.value = { state: "done", words, bad: !signal.aborted };
    }
  }

  function onClick(event: MouseEvent, format: ExportFormat) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (progress.value.state !== "running") void run(format);
  }

  const { value } = progress;
  return (
    <div class="export">
      Export all as {(Object.keys(EXPORT_FORMATS) as ExportFormat[]).map((format) => (
        <a
          key={format}
          href={exportHref(view, format)}
          download
          data-own
          onClick={(event) => onClick(event, format)}
        >
          {EXPORT_FORMATS[format].name}
        </a>
      ))}
      <span role="status" class={value.state === "done" && value.bad ? "bad" : "help"}>
        {value.state === "running" && progressWords(value)}
        {value.state === "done" && value.words}
      </span>
      {value.state === "running" && (
        <button
          type="button"
          class="quiet"
          onClick={() => running.current?.abort()}
        >
          Stop
        </button>
      )}
    </div>
  );
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

function progressWords({ rows, total }: { readonly rows: number; readonly total?: number }) {
  return total === undefined
    ? `${formatCount(rows)} rows so far`
    : `${formatCount(rows)} of ${formatCount(total)} rows`;
}

function outcome(name: string, { items, complete }: WalkReport) {
  const words = complete
    ? `${name} has all ${formatCount(items)} rows.`
    : `${name} has ${formatCount(items)} rows, but rows changed meanwhile: some may be missing.`;
  return { words, bad: !complete };
}

function save(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
