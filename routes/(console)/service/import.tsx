import { PageHeader } from "../../../components/page/page_header.tsx";
import { Choice, Field, FileField } from "../../../components/ui/form.tsx";
import { ProblemError } from "../../../server/http/problem.ts";
import { readUploadForm } from "../../../server/http/request_body.ts";
import { DATE_ORDERS, splitFile } from "../../../server/store/import/file_values.ts";
import {
  formatRowCounts,
  importValues,
  readMap,
} from "../../../server/store/import/import_values.ts";
import type { Store } from "../../../server/store/store.ts";
import { yieldToEventLoop } from "../../../server/workers/yield_to_event_loop.ts";
import type { ConsoleState } from "../_middleware.ts";
import { readCsv } from "../../../server/actions/csv_file.ts";
import { Outcome } from "../../../components/ui/notices.tsx";
import { MAX_LINES, openForm } from "../_actions.ts";
import { handler, page } from "./$import.ts";

/** Few, because writing a batch keeps others waiting. */
const BATCH = 100;

export const handlers = handler({
  GET: async ({ state }) => ({ data: await loadForm(state) }),

  async POST(ctx) {
    const { state } = ctx;
    const store = requireStore(state);
    const { form, attempt, file } = await openForm(ctx, readUploadForm);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    let done = "";
    const status = await attempt(async () => {
      const isSampleRemoved = form.has("sample");
      if (isSampleRemoved && await store.contents() !== "sample") {
        throw new ProblemError(400, MIXED);
      }
      const dates = DATE_ORDERS.find((each) => each === text("dates"));
      const zone = state.services.settings.serviceZone;
      const errors: { parameter: string; detail: string }[] = [];
      const { counts } = await readCsv(async () => ({
        issues: [],
        counts: await importValues(
          store,
          splitFile(file(), { map: readMap(text("map")), dates, zone }),
          {
            batch: BATCH,
            zone,
            beforeFirst: isSampleRemoved ? store.clearWithRecords : undefined,
            onBatch: yieldToEventLoop,
            onIssue: (parameter, detail) =>
              void (errors.length <= MAX_LINES && errors.push({ parameter, detail })),
          },
        ),
      }));
      done = formatRowCounts(counts);
      if (counts.rejected > 0) throw new ProblemError(400, done, { errors });
    });
    return { data: { ...await loadForm(state), done }, status: status ?? 200 };
  },
});

const MIXED = "Nothing was saved: the sample data can't be removed alone any more, as others " +
  "imported their data";

/** The embedded service's store: nothing can be put into another service. */
function requireStore({ services }: ConsoleState): Store {
  if (services.store) return services.store;
  throw new ProblemError(404, "Own data can be put into the embedded service only");
}

async function loadForm(state: ConsoleState) {
  return { hasSample: await requireStore(state).contents() === "sample", done: "" };
}

export default page(({ data: { hasSample, done }, state: { refused } }) => (
  <>
    <PageHeader title="Import your own data" trail={[["/service", "Service"]]} />
    {done && !refused && <Outcome>{done}.</Outcome>}
    <div class="columns">
      <form method="post" encType="multipart/form-data" class="box stack panel">
        <FileField kinds="CSV, NDJSON or JSON" accept=".csv,.json,.ndjson,.txt" />
        <Field
          name="map"
          label="Map of columns with other names"
          help="Such as Report ID=scheduleId,Sent at=startTime"
        />
        <Choice
          name="dates"
          label="Dates such as 03.04.2026 are"
          options={DATE_WORDS}
        />
        {hasSample && (
          <label class="line check">
            <input type="checkbox" name="sample" value="remove" /> Remove the sample data first
          </label>
        )}
        <button type="submit" class="main">Import</button>
      </form>
      <section aria-label="The file">
        <p>Such a file is enough, with one row for each recipient:</p>
        <pre class="code">{SMALLEST}</pre>
      </section>
    </div>
  </>
));

const DATE_WORDS: readonly (readonly ["" | typeof DATE_ORDERS[number], string])[] = [
  ["", "refused"],
  ["day-first", "day-first: 3 April"],
  ["month-first", "month-first: 4 March"],
];

const SMALLEST = `scheduleId,startTime,status,emailAddress
9,2026-11-28 05:30,sent,ada@example.com
9,2026-11-28 05:30,sent,bo@example.com`;
