import { useSignal } from "@preact/signals";
import { Choice, Labelled } from "../components/form.tsx";
import { formatCountOf } from "../components/format.ts";
import { Pager } from "../components/pager.tsx";
import { type RunRow, RunTable } from "../components/runs/table.tsx";
import { runsHref } from "../components/runs/view.ts";
import { Zone } from "../components/zone.ts";
import { filterRuns, parseRunFilter, type RunFilter } from "../lib/runs/filter.ts";
import type { StatusDictionary } from "../lib/runs/status.ts";

/**
 * The loaded runs of a schedule, filtered. Without JavaScript the form has the server filter; in
 * the browser every key stroke does, and the URL follows.
 */
export function RunSearch({ scheduleId, runs, initialFilter, limit, skip, dictionary, zone }: {
  readonly scheduleId: number;
  /** The loaded runs, unfiltered, in the service's order. */
  readonly runs: readonly RunRow[];
  readonly initialFilter: RunFilter;
  readonly limit: number;
  readonly skip: number;
  readonly dictionary: StatusDictionary;
  /** The zone that times are shown in. */
  readonly zone: string;
}) {
  const filter = useSignal(initialFilter);
  const path = `/schedules/${scheduleId}`;

  const href = (start: number) =>
    runsHref(scheduleId, { filter: filter.value, limit, skip: start });

  function onInput(event: Event) {
    const form = event.currentTarget as HTMLFormElement;
    filter.value = parseRunFilter(new URLSearchParams(new FormData(form) as never));
    history.replaceState(null, "", href(skip));
  }

  const found = filterRuns(runs, filter.value);
  const statuses = [...new Set(runs.map((run) => run.status ?? "").filter(Boolean))].sort();
  const { status = [], trigger, text } = filter.value;
  return (
    <Zone.Provider value={zone}>
      <form
        method="get"
        action={path}
        class="panel"
        onInput={onInput}
        onSubmit={(event) => event.preventDefault()}
      >
        {limit !== 100 && <input type="hidden" name="limit" value={limit} />}
        {skip > 0 && <input type="hidden" name="skip" value={skip} />}
        <fieldset>
          <legend>Filter</legend>
          <Choice
            name="status"
            label="Status"
            selected={status[0] ?? ""}
            options={[
              { value: "", text: "any" },
              ...[...new Set([...statuses, ...status])].map((name) => ({
                value: name,
                text: name,
              })),
            ]}
          />
          <Choice
            name="trigger"
            label="Trigger"
            selected={trigger ?? ""}
            options={[
              { value: "", text: "any" },
              { value: "automated", text: "automated" },
              { value: "manual", text: "by hand" },
            ]}
          />
          <Labelled name="text" label="Text">
            <input id="text" type="search" name="text" value={text ?? ""} autocomplete="off" />
          </Labelled>
          <noscript>
            <button type="submit">Apply</button>
          </noscript>
        </fieldset>
      </form>
      <p class="result" role="status">
        {found.length === runs.length
          ? formatCountOf(runs.length, "run loaded", "runs loaded")
          : `${found.length} of ${formatCountOf(runs.length, "loaded run", "loaded runs")}`}
      </p>
      {found.length > 0
        ? <RunTable runs={found} scheduleId={scheduleId} dictionary={dictionary} />
        : (
          <div class="empty">
            {runs.length > 0
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
        position={{ start: skip, count: runs.length, limit, total: null }}
        href={href}
        label="Pages of runs"
      />
    </Zone.Provider>
  );
}
