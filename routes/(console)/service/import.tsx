import { PageHeader } from "../../../components/page/page_header.tsx";
import { SERVICE_PATH } from "../../../components/runs/run_links.tsx";
import { Choice, Field } from "../../../components/ui/form.tsx";
import { ProblemError } from "../../../server/http/problem.ts";
import { readUploadForm } from "../../../server/http/request_body.ts";
import { DATE_ORDERS, splitFile } from "../../../server/store/import/file_values.ts";
import { importValues, readMap } from "../../../server/store/import/import_values.ts";
import { formatRowCounts } from "../../../server/store/changes.ts";
import type { Store } from "../../../server/store/store.ts";
import { yieldToEventLoop } from "../../../server/workers/yield_to_event_loop.ts";
import type { ConsoleState } from "../_middleware.ts";
import { FileField, MAX_SHOWN, NOT_FAILED, readUpload, UploadNotice } from "../_upload.tsx";
import { handler, page } from "./$import.ts";

/** Few, because writing a batch keeps others waiting. */
const BATCH = 100;

export const handlers = handler({
  GET: async ({ state }) => ({ data: { ...NOT_FAILED, ...await loadForm(state) } }),

  async POST({ req, state }) {
    const store = requireStore(state);
    const form = await readUploadForm(req);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const typed = { map: text("map"), dates: text("dates") };
    const answer = await readUpload(form, async (file) => {
      if (form.has("sample") && !(await loadForm(state)).hasSample) {
        throw new ProblemError(400, MIXED);
      }
      const map = readMap(typed.map);
      const dates = DATE_ORDERS.find((each) => each === typed.dates);
      const zone = state.services.settings.serviceZone;
      const groups = splitFile(file, { map, dates, zone });
      const issues: { line: string; issue: string }[] = [];
      const counts = await importValues(store, groups, {
        batch: BATCH,
        zone,
        beforeFirst: form.has("sample") ? store.clearWithRecords : undefined,
        onBatch: yieldToEventLoop,
        onIssue: (line, issue) => void (issues.length <= MAX_SHOWN && issues.push({ line, issue })),
      });
      return { error: `${formatRowCounts(counts)}.`, issues, isDone: counts.rejected === 0 };
    });
    if (answer instanceof Response) return answer;
    return {
      data: { ...answer, ...await loadForm(state, typed) },
      status: answer.isDone ? 200 : 400,
    };
  },
});

const MIXED = "Nothing was saved: the sample data can't be removed alone any more, as others " +
  "imported their data";

/** The embedded service's store: nothing can be put into another service. */
function requireStore({ services }: ConsoleState): Store {
  if (services.store) return services.store;
  throw new ProblemError(404, "Own data can be put into the embedded service only");
}

async function loadForm(state: ConsoleState, typed = { map: "", dates: "" }) {
  return { hasSample: await requireStore(state).hasSample(), ...typed };
}

export default page(({ data: { hasSample, map, dates, ...answer } }) => (
  <>
    <PageHeader title="Import your own data" trail={[[SERVICE_PATH, "Service"]]} />
    <UploadNotice {...answer} />
    <div class="columns">
      <form method="post" encType="multipart/form-data" class="box stack panel">
        <FileField
          label="CSV, NDJSON or JSON file, at most 4 MB"
          accept=".csv,.json,.ndjson,.txt"
        />
        <Field
          name="map"
          label="Map of columns with other names"
          help="Such as Report ID=scheduleId,Sent at=startTime"
          value={map}
        />
        <Choice
          name="dates"
          label="Dates such as 03.04.2026 are"
          options={DATE_WORDS}
          selected={dates}
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
