import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatCount, formatCountOf } from "../components/ui/format.ts";
import { Pager } from "../components/ui/pager.tsx";
import { type RunRow, unpackRows } from "../components/runs/row.ts";
import { RunTable } from "../components/runs/table.tsx";
import { FILTER_FORM, runsHref, type RunView } from "../components/runs/view.ts";
import { Zone } from "../components/ui/zone.ts";
import { filterRuns, parseRunFilter } from "../lib/runs/filter.ts";
import type { StatusDictionary } from "../lib/runs/status.ts";

/** A page of the runs that pass a filter. */
export interface FoundRuns {
  readonly view: RunView;
  readonly rows: readonly RunRow[];
  /** Number of runs that pass. */
  readonly count: number;
}

/**
 * The loaded runs of a schedule, filtered by the form above. Without JavaScript the form has the
 * server filter; in the browser all loaded runs are fetched once, when the form is first used, and
 * every change is shown at once. The URL always says what is shown.
 */
export function RunSearch({ scheduleId, initial, loaded, dictionary, zone }: {
  readonly scheduleId: number;
  readonly initial: FoundRuns;
  /** Number of runs that the filter is applied to. */
  readonly loaded: number;
  readonly dictionary: StatusDictionary;
  readonly zone: string;
}) {
  const shown = useSignal(initial);
  const state = useSignal<"idle" | "loading" | "failed">("idle");
  /** The page of what the form asks for. */
  const asked = useSignal("");
  const all = useRef<Promise<readonly RunRow[]>>();
  const path = `/schedules/${scheduleId}`;
  const { view, rows, count } = shown.value;

  async function show(form: HTMLFormElement) {
    const filter = parseRunFilter(new URLSearchParams(new FormData(form) as never));
    const next = { ...initial.view, filter, skip: 0 };
    all.current ??= fetchRows(`${path}/rows?load=${next.load}`);
    state.value = "loading";
    asked.value = runsHref(scheduleId, next);
    try {
      // All inputs wait for the same rows, and go on in the order in which they came.
      const found = filterRuns(await all.current, filter, zone);
      shown.value = { view: next, rows: found.slice(0, next.limit), count: found.length };
      state.value = "idle";
      history.replaceState(null, "", asked.value);
    } catch {
      all.current = undefined;
      state.value = "failed";
    }
  }

  // The form is not the island's own: what is being typed belongs to the reader, and no new render
  // writes over it.
  useEffect(() => {
    const form = document.getElementById(FILTER_FORM) as HTMLFormElement;
    form.addEventListener("input", () => show(form));
    form.addEventListener("submit", (event) => event.preventDefault());
  }, []);

  return (
    <Zone.Provider value={zone}>
      <p class="result" role="status">
        {state.value === "failed"
          ? (
            <>
              The runs could not be loaded. <a href={asked.value}>Try again</a>
            </>
          )
          : resultWords(count, loaded)}
      </p>
      {rows.length > 0
        ? <RunTable runs={rows} scheduleId={scheduleId} dictionary={dictionary} />
        : (
          <div class="empty">
            {count === 0
              ? (
                <p>
                  None of the loaded runs passes the filter. <a href={path}>Show all</a>
                </p>
              )
              : (
                <p>
                  This page is past the last run. <a href={path}>Go to the first page</a>
                </p>
              )}
          </div>
        )}
      <Pager
        position={{ start: view.skip, count: rows.length, limit: view.limit, total: count }}
        href={(skip) => runsHref(scheduleId, { ...view, skip })}
        label="Pages of runs"
      />
    </Zone.Provider>
  );
}

async function fetchRows(url: string): Promise<readonly RunRow[]> {
  // Who is no longer signed in is led to a page, which is no list of runs.
  const response = await fetch(url, { redirect: "error" });
  if (!response.ok) throw new Error(`The runs came with status ${response.status}`);
  return unpackRows(await response.json());
}

function resultWords(count: number, loaded: number): string {
  return count === loaded
    ? formatCountOf(loaded, "run loaded", "runs loaded")
    : `${formatCount(count)} of ${formatCountOf(loaded, "loaded run", "loaded runs")}`;
}
