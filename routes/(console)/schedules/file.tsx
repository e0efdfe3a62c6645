import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_TRAIL } from "../../../components/runs/schedule_header.tsx";
import { formatCount } from "../../../lib/format.ts";
import { addScheduleFile } from "../../../server/actions/known_schedules.ts";
import { readUploadForm } from "../../../server/http/request_body.ts";
import { SAMPLE_FILE } from "../../../server/schedules/schedule_file.ts";
import { MAX_SCHEDULES } from "../../../server/schedules/schedule_id_list.ts";
import { openForm } from "../_actions.ts";
import { FileField } from "../../../components/ui/form.tsx";
import { handler, page } from "./$file.ts";

export const handlers = handler({
  GET: () => ({ data: null }),

  async POST(ctx) {
    const { services, clicked, attempt, file, go } = await openForm(ctx, readUploadForm);
    const status = await attempt(() => addScheduleFile(services, file(), clicked));
    return status === null ? go("/schedules", "saved-schedules") : { data: null, status };
  },
});

export default page(() => (
  <>
    <PageHeader title="Add schedules from a file" trail={SCHEDULES_TRAIL} />
    <div class="columns">
      <form method="post" encType="multipart/form-data" class="box stack panel">
        <FileField kinds="CSV" accept=".csv,text/csv" />
        <button type="submit" class="main">Add schedules</button>
      </form>
      <section aria-label="The file">
        <p>
          Of these columns, only scheduleId is required. A file has at most{" "}
          {formatCount(MAX_SCHEDULES)} schedules; those that are not watched are read once a day.
        </p>
        <pre class="code">{SAMPLE_FILE}</pre>
        <p class="help">
          Semicolons separate several cron expressions.{" "}
          <code>docket schedules list --format csv</code> writes such a file.
        </p>
      </section>
    </div>
  </>
));
