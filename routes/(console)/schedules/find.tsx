import { FormKey } from "../../../components/ui/form_key.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_PATH } from "../../../components/runs/schedule_header.tsx";
import { Field } from "../../../components/ui/form.tsx";
import { AutoRefresh } from "../../../islands/AutoRefresh.tsx";
import { formatCount, formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { readScheduleId } from "../../../server/http/request_query.ts";
import { describeProgress, describeSearch, idRanges } from "../../../server/schedules/coverage.ts";
import {
  beginSearch,
  DEFAULT_RATE,
  MAX_IDS,
  MAX_RATE,
  stopSearch,
} from "../../../server/schedules/scan.ts";
import { whyNotObserved } from "../../../server/observer/service_observer.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { recordsOf } from "../incidents/_incidents.ts";
import { handler, page } from "./$find.ts";

const PATH = "/schedules/find";
const FIELDS = [["from", "First id"], ["to", "Last id"], ["rate", "Requests per second"]] as const;
const NUMERIC = { inputmode: "numeric", required: true } as const;

export const handlers = handler({
  async GET(ctx) {
    const { services, preferences: { zone } } = ctx.state;
    const typed = { from: "1", to: "1000", rate: String(DEFAULT_RATE) };
    return { data: { ...await loadSearches(recordsOf(services), zone), typed, error: "" } };
  },

  async POST(ctx) {
    const { services, preferences: { zone } } = ctx.state;
    const records = recordsOf(services);
    const reason = whyNotObserved(services);
    if (reason !== null) throw new ProblemError(409, reason);
    const form = await readFormBody(ctx.req);
    const text = (name: string) => form.get(name)?.trim() ?? "";
    const typed = { from: text("from"), to: text("to"), rate: text("rate") };
    const refuse = async (error: string) => ({
      data: { ...await loadSearches(records, zone), typed, error },
      status: 400,
    });
    const from = readScheduleId(typed.from);
    const to = readScheduleId(typed.to);
    const rate = wholeNumber(typed.rate);
    if (from === null || to === null || to < from || to - from >= MAX_IDS) {
      const most = formatCount(MAX_IDS - 1);
      return refuse(
        `Enter whole numbers. The last id must be at least the first, and at most ${most} greater.`,
      );
    }
    if (form.has("stop")) {
      await stopSearch(records, { from, to });
      return ctx.redirect(PATH, 303);
    }
    if (rate === null || rate < 1 || rate > MAX_RATE) {
      return refuse(`Requests per second must be a whole number from 1 to ${MAX_RATE}.`);
    }
    if (!await beginSearch({ records, now: Date.now }, { from, to, rate })) {
      return refuse("Another search is running: stop it first.");
    }
    return ctx.redirect(PATH, 303);
  },
});

async function loadSearches({ idSearches, watches }: ObserverRecords, zone: string) {
  const searches = await Promise.all(
    (await idSearches.searches()).map(async (search) => ({
      search,
      ...await idSearches.changes(search),
    })),
  );
  const [open] = searches.filter(({ search }) => search.ended === null && search.stopped === null);
  return { searches, open: open?.search, known: await watches.countKnown(), zone };
}

export default page(({ data: { searches, open, known, zone, typed, error }, state }) => (
  <>
    <PageHeader title="Find schedules" path={SCHEDULES_PATH} />
    <p>
      The service can't list its schedules, but Docket can ask for each id in a range, with one
      request per id. It then reads the schedules that exist once a day, until somebody watches
      them.
    </p>
    {error && <p class="notice bad" role="alert">{error}</p>}
    <div id="searches" data-busy={open || undefined}>
      {open && (
        <form method="post" action={PATH} class="card" aria-label="Search in progress">
          <FormKey />
          <p role="status">{describeProgress(open, Date.now())}.</p>
          <input type="hidden" name="from" value={open.from} />
          <input type="hidden" name="to" value={open.to} />
          <div class="row">
            <progress value={open.next - open.from} max={open.to - open.from + 1} />
            <button type="submit" name="stop" value="true" class="quiet">Stop</button>
          </div>
        </form>
      )}
      <h2>Known so far</h2>
      <p>
        {formatCountOf(known, "schedule is", "schedules are")} known.
        {searches.length === 0 && " No ids have been asked for yet."}
      </p>
      {searches.length > 0 && (
        <ul>
          {searches.map(({ search, found, vanished }) => (
            <li key={`${search.from}-${search.to}`}>
              {describeSearch(search, zone)}.
              {search.stopped !== null && ` ${search.stopped}.`}
              {found.length > 0 && ` New: ${idRanges(found)}.`}
              {vanished.length > 0 && ` No longer there: ${idRanges(vanished)}.`}
            </li>
          ))}
        </ul>
      )}
    </div>
    {open && <AutoRefresh parts={["searches"]} zone={state.preferences.zone} />}
    <h2>Ask for ids</h2>
    <form method="post" action={PATH} class="panel stacked">
      <FormKey />
      {FIELDS.map(([name, label]) => (
        <Field key={name} {...NUMERIC} name={name} label={label} value={typed[name]} />
      ))}
      <div class="row">
        <button type="submit">Find schedules</button>
      </div>
      <p class="help">
        To continue a stopped search, start it again with the same ids.
      </p>
    </form>
  </>
));
