import { PageHeader } from "../../../components/page/page_header.tsx";
import { Choice, FileField } from "../../../components/ui/form.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import { readUploadForm } from "../../../server/http/request_body.ts";
import { clearLeavers, saveLeavers } from "../../../server/actions/save_leavers.ts";
import { PEOPLE_COLUMNS } from "../../../server/schedules/schedule_file.ts";
import { openForm } from "../_actions.ts";
import { requireRecords } from "../../../server/pages/page_request.ts";
import { PEOPLE_TRAIL } from "../../../components/runs/run_links.tsx";
import { handler, page } from "./$leavers.ts";

export const handlers = handler({
  GET: async ({ state }) => ({ data: await requireRecords(state.services).leavers.count() }),

  async POST(ctx) {
    const { form, services, clicked, attempt, file, go } = await openForm(ctx, readUploadForm);
    if (form.has("clear")) {
      await clearLeavers(services, clicked);
      return go("/people", "leavers-cleared");
    }
    const isStaff = form.get("kind") === "staff";
    const status = await attempt(() => saveLeavers(services, { people: file(), isStaff }, clicked));
    return status === null
      ? go("/people?group=left", "leavers-noted")
      : { data: await services.records.leavers.count(), status };
  },
});

export default page(({ data: known }) => (
  <>
    <PageHeader title="Leavers" trail={PEOPLE_TRAIL} />
    <p class="day-words">
      Docket shows{" "}
      <a href="/people?group=left">who has left but still receives reports</a>, and opens an
      incident for each watched schedule that they receive.
    </p>
    {known > 0 && (
      <form method="post" encType="multipart/form-data" class="row">
        {formatCountOf(known, "user id or address", "user ids and addresses")} of people who left.
        {" "}
        <button type="submit" name="clear" value="true" class="quiet">Clear the list</button>
      </form>
    )}
    <div class="columns">
      <form method="post" encType="multipart/form-data" class="box stack panel">
        <FileField kinds="CSV" accept=".csv,text/csv" />
        <Choice
          name="kind"
          label="The file lists"
          options={[["left", "people who left"], ["staff", "current staff"]]}
        />
        <button type="submit" class="main">Compare</button>
      </form>
      <section aria-label="The file">
        <p>
          The first line names the columns:{" "}
          {PEOPLE_COLUMNS.join(", ")}. Each row has a user id or an address; left is the last day,
          or empty.
        </p>
        <pre class="code">{SAMPLE}</pre>
      </section>
    </div>
  </>
));

const SAMPLE = `emailAddress,left
sam.okafor@example.com,2026-09-30
jo.weber@example.com,`;
