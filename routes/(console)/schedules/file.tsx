import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_TRAIL } from "../../../components/runs/schedule_header.tsx";
import { formatCount } from "../../../lib/format.ts";
import { addScheduleFile } from "../../../server/actions/known_schedules.ts";
import { readUploadForm } from "../../../server/http/request_body.ts";
import { SAMPLE_FILE } from "../../../server/schedules/schedule_file.ts";
import { MAX_SCHEDULES } from "../../../server/schedules/schedule_id_list.ts";
import { openForm } from "../_actions.ts";
import { FileField, NOT_FAILED, readUpload, UploadNotice } from "../_upload.tsx";
import { handler, page } from "./$file.ts";

export const handlers = handler({
  GET: () => ({ data: NOT_FAILED }),

  async POST(ctx) {
    const { form, services, clicked, go } = await openForm(ctx, readUploadForm);
    const answer = await readUpload(form, async (file) => {
      await addScheduleFile(services, file, clicked);
      return go("/schedules", "saved-schedules");
    });
    return answer instanceof Response ? answer : { data: answer, status: 400 };
  },
});

export default page(({ data }) => (
  <>
    <PageHeader title="Add schedules from a file" trail={SCHEDULES_TRAIL} />
    <UploadNotice {...data} />
    <div class="columns">
      <form method="post" encType="multipart/form-data" class="box stack panel">
        <FileField />
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
