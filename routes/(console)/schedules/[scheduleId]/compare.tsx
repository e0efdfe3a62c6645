import { Choice } from "../../../../components/ui/form.tsx";
import { AddressSwitch } from "../../../../components/runs/address.tsx";
import { Comparison } from "../../../../components/runs/comparison.tsx";
import { ScheduleTop } from "../../../../components/runs/schedule_head.tsx";
import { runWords } from "../../../../components/runs/words.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { pageTrouble } from "../../../_trouble.ts";
import { loadSchedule, titleOf } from "../_runs.ts";
import { handler, page } from "./$compare.ts";

/** How many of the latest runs can be chosen; any other one can be linked to. */
const CHOICES = 200;

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const addressesShown = searchParams.get("addresses") === "shown";
    const place = { ...ctx.params, addressesShown };
    try {
      const schedule = await loadSchedule(ctx);
      const { runs } = schedule.loaded;
      const chosen = (name: string, otherwise: ReportRun | undefined) =>
        searchParams.has(name)
          ? runs.find(({ id }) => String(id) === searchParams.get(name)) ?? null
          : otherwise ?? null;
      const before = chosen("before", runs[1]);
      const after = chosen("after", runs[0]);
      const shown = { ...schedule, before, after, title: titleOf(schedule) };
      return { data: { ...place, shown, trouble: null }, status: before && after ? 200 : 404 };
    } catch (error) {
      const { trouble, ...answer } = pageTrouble(error, ctx.req, ctx.state);
      return { data: { ...place, shown: null, trouble }, ...answer };
    }
  },
});

export default page(({ data: { scheduleId, addressesShown, shown, trouble }, state }) => {
  const { zone } = state.preferences;
  return (
    <>
      <ScheduleTop
        subject="Two runs"
        scheduleId={scheduleId}
        present="compare"
        shown={shown}
        trouble={trouble}
        watch={state.preferences.watch}
      />
      {shown && (
        <>
          {shown.loaded.runs.length > 1 && (
            <form method="get" action={`/schedules/${shown.scheduleId}/compare`} class="panel">
              <fieldset>
                <legend>Compare</legend>
                <RunChoice name="before" label="Before" shown={shown} zone={zone} />
                <RunChoice name="after" label="After" shown={shown} zone={zone} />
                {addressesShown && <input type="hidden" name="addresses" value="shown" />}
                <button type="submit">Compare</button>
              </fieldset>
            </form>
          )}
          {shown.before && shown.after
            ? (
              <>
                <h2 id="compared">What changed</h2>
                <p class="help">
                  <AddressSwitch
                    shown={addressesShown}
                    anchor="compared"
                    params={`before=${shown.before.id}&after=${shown.after.id}`}
                  />
                </p>
                <Comparison
                  before={shown.before}
                  after={shown.after}
                  scheduleId={shown.scheduleId}
                  addressesShown={addressesShown}
                />
              </>
            )
            : (
              <div class="empty">
                <p>
                  {shown.loaded.runs.length < 2
                    ? "There are no two runs to compare."
                    : "One of these runs is not among those that were read."}
                </p>
              </div>
            )}
        </>
      )}
    </>
  );
});

function RunChoice({ name, label, shown, zone }: {
  readonly name: "before" | "after";
  readonly label: string;
  readonly shown: {
    readonly loaded: { readonly runs: readonly ReportRun[] };
    readonly before: ReportRun | null;
    readonly after: ReportRun | null;
  };
  readonly zone: string;
}) {
  const latest = shown.loaded.runs.slice(0, CHOICES);
  const selected = shown[name];
  const runs = selected && !latest.includes(selected) ? [...latest, selected] : latest;
  return (
    <Choice
      name={name}
      label={label}
      selected={String(selected?.id ?? "")}
      options={runs.map((run) => ({
        value: String(run.id),
        text: `${runWords(run, zone)} ${run.status || "no status"}`,
      }))}
    />
  );
}
