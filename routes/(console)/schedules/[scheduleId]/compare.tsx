import { AddressSwitch } from "../../../../components/runs/recipients/address.tsx";
import { Comparison } from "../../../../components/runs/comparison.tsx";
import { runLabel } from "../../../../components/runs/format.ts";
import { scheduleHref } from "../../../../components/runs/run_links.ts";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { Choice } from "../../../../components/ui/form.tsx";
import type { ReportRun } from "../../../../lib/types.ts";
import { loadPage } from "../../../_errors.ts";
import { loadSchedule, type ScheduleRuns } from "../_runs.ts";
import { handler, page } from "./$compare.ts";

/** How many of the latest runs can be selected. Links can name any loaded run. */
const MAX_CHOICES = 200;

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const result = await loadPage(ctx, async () => {
      const schedule = await loadSchedule(ctx);
      const { runs } = schedule.loaded;
      const selected = (name: string, otherwise: ReportRun | undefined) =>
        searchParams.has(name)
          ? runs.find(({ id }) => String(id) === searchParams.get(name))
          : otherwise;
      return {
        ...schedule,
        before: selected("before", runs[1]) ?? null,
        after: selected("after", runs[0]) ?? null,
      };
    });
    const { shown } = result.data;
    return shown && !(shown.before && shown.after) ? { ...result, status: 404 } : result;
  },
});

export default page(({ data: { shown, error }, params, url, state }) => {
  const { zone, watch } = state.preferences;
  return (
    <>
      <ScheduleHeader
        subject="Compare runs"
        scheduleId={params.scheduleId}
        current="compare"
        shown={shown}
        error={error}
        watch={watch}
      />
      {shown && (
        <ComparePage
          shown={shown}
          addressesShown={url.searchParams.get("addresses") === "shown"}
          zone={zone}
        />
      )}
    </>
  );
});

interface ComparedRuns extends ScheduleRuns {
  readonly before: ReportRun | null;
  readonly after: ReportRun | null;
}

function ComparePage({ shown, addressesShown, zone }: {
  readonly shown: ComparedRuns;
  readonly addressesShown: boolean;
  readonly zone: string;
}) {
  const { scheduleId, loaded: { runs }, before, after } = shown;
  return (
    <>
      {runs.length > 1 && (
        <form method="get" action={`${scheduleHref(scheduleId)}/compare`} class="panel">
          <fieldset>
            <legend>Compare</legend>
            <div class="inputs">
              <RunChoice name="before" label="Before" shown={shown} zone={zone} />
              <RunChoice name="after" label="After" shown={shown} zone={zone} />
              {addressesShown && <input type="hidden" name="addresses" value="shown" />}
              <button type="submit">Compare</button>
            </div>
          </fieldset>
        </form>
      )}
      {before && after
        ? (
          <>
            <h2 id="compared">Differences</h2>
            <p class="help">
              <AddressSwitch
                shown={addressesShown}
                anchor="compared"
                params={`before=${before.id}&after=${after.id}`}
              />
            </p>
            <Comparison
              before={before}
              after={after}
              scheduleId={scheduleId}
              addressesShown={addressesShown}
            />
          </>
        )
        : (
          <div class="empty">
            <p>
              {runs.length < 2
                ? "This schedule has fewer than two runs."
                : "One of these runs was not loaded."}
            </p>
          </div>
        )}
    </>
  );
}

function RunChoice({ name, label, shown, zone }: {
  readonly name: "before" | "after";
  readonly label: string;
  readonly shown: ComparedRuns;
  readonly zone: string;
}) {
  const latest = shown.loaded.runs.slice(0, MAX_CHOICES);
  const selected = shown[name];
  const runs = selected && !latest.includes(selected) ? [...latest, selected] : latest;
  return (
    <Choice
      name={name}
      label={label}
      selected={String(selected?.id ?? "")}
      options={runs.map((run) => ({
        value: String(run.id),
        text: `${runLabel(run, zone)} ${run.status || "no status"}`,
      }))}
    />
  );
}
