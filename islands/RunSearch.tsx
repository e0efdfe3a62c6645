import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { formatCount, formatCountOf } from "../components/ui/format.ts";
import { type PackedRows, unpackRows } from "../components/ui/packed_rows.ts";
import { Pager } from "../components/ui/pager.tsx";
import { type RunRow, unpackRuns } from "../components/runs/run_row.ts";
import { RunTable } from "../components/runs/run_table.tsx";
import { FILTER_FORM, runsHref, type RunView, scheduleHref } from "../components/runs/run_links.ts";
import { Zone } from "../components/ui/zone.ts";
import { filterRuns, parseRunFilter } from "../lib/runs/filter.ts";
import type { StatusDictionary } from "../lib/runs/status.ts";

/** A page of the runs that match a filter. */
export interface FoundRuns {
  readonly view: RunView;
  readonly rows: PackedRows<RunRow>;
  /** Number of matching runs. */
  readonly count: number;
}

/**
 * The loaded runs of a schedule, filtered by the form above. In the browser, all loaded runs are
 * fetched when the form is first used, and changes apply at once. Without JavaScript, the server
 * filters. The URL always describes what is shown.
 */
export function RunSearch({ scheduleId, initial, loaded, dictionary, zone }: {
  readonly scheduleId: number;
  readonly initial: FoundRuns;
  /** Number of loaded runs. */
  readonly loaded: number;
  readonly dictionary: StatusDictionary;
  readonly zone: string;
}) {
  const unpacked = useMemo(() => ({ ...initial, rows: unpackRows(initial.rows) }), []);
  const shown = useSignal(unpacked);
  const state = useSignal<"idle" | "loading" | "failed">("idle");
  /** The URL of what the form asks for. */
  const requested = useSignal("");
  const all = useRef<Promise<readonly RunRow[]>>();
  const path = scheduleHref(scheduleId);
  const { view, rows, count } = shown.value;

  async function show(form: HTMLFormElement) {
    const filter = parseRunFilter(new URLSearchParams(new FormData(form) as never));
    const next = { ...initial.view, filter, skip: 0 };
    all.current ??= fetchRows(`${path}/rows?load=${next.load}`);
    state.value = "loading";
    requested.value = runsHref(scheduleId, next);
    try {
      // All inputs wait for the same rows and continue in order.
      const found = filterRuns(await all.current, filter, zone);
      shown.value = { view: next, rows: found.slice(0, next.limit), count: found.length };
      state.value = "idle";
      history.replaceState(null, "", requested.value);
    } catch {
      all.current = undefined;
      state.value = "failed";
    }
  }

  // The form is outside the island, so that rendering never overwrites what is being typed.
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
              The runs could not be loaded. <a href={requested.value}>Try again</a>
            </>
          )
          : formatResult(count, loaded)}
      </p>
      {rows.length > 0
        ? <RunTable runs={rows} scheduleId={scheduleId} dictionary={dictionary} />
        : (
          <div class="empty">
            {count === 0
              ? (
                <p>
                  No runs match the filter. <a href={path}>Show all runs</a>
                </p>
              )
              : (
                <p>
                  There are no more runs. <a href={path}>Go to the first page</a>
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
  // After the session ends, the server redirects to the sign-in page.
  const response = await fetch(url, { redirect: "error" });
  if (!response.ok) throw new Error(`Loading the runs failed with status ${response.status}`);
  return unpackRuns(await response.json());
}

function formatResult(count: number, loaded: number): string {
  return count === loaded
    ? formatCountOf(loaded, "run", "runs")
    : `${formatCount(count)} of ${formatCountOf(loaded, "run", "runs")}`;
}
