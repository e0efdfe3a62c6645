import { PageHeader } from "../../../components/page/page_header.tsx";
import { Choice } from "../../../components/ui/form.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import { readUploadForm } from "../../../server/http/request_body.ts";
import {
  noteLeavers,
  PEOPLE_COLUMNS,
  readPeopleFile,
} from "../../../server/inventory/leaver_file.ts";
import type { LineIssue } from "../../../server/inventory/schedule_file.ts";
import { CsvError } from "../../../server/store/import/csv_rows.ts";
import { redirectWithNotice } from "../_notices.ts";
import { recordsOf } from "../incidents/_incidents.ts";
import { PEOPLE_PATH, peopleContext } from "./_people.ts";
import { handler, page } from "./$leavers.ts";

const MOST_SHOWN = 100;

export const handlers = handler({
  GET: async (ctx) => ({
    data: {
      issues: [] as readonly LineIssue[],
      error: "",
      known: await recordsOf(ctx.state.services).leavers.count(),
    },
  }),

  async POST(ctx) {
    const { services } = ctx.state;
    const records = recordsOf(services);
    const known = await records.leavers.count();
    const wrong = (error: string, issues: readonly LineIssue[] = []) => ({
      data: { issues, error, known },
      status: 400,
    });
    const form = await readUploadForm(ctx.req);
    if (form.has("clear")) {
      await records.leavers.clear();
      return redirectWithNotice(ctx, "/people", "leavers-cleared");
    }
    const file = form.get("file");
    if (!(file instanceof File) || file.size === 0) {
      return wrong("Choose a file that is not empty.");
    }
    try {
      const { home, now } = await peopleContext(records, services);
      const { people, issues } = await readPeopleFile(file.stream(), now);
      if (issues.length > 0) return wrong("Nothing was taken over. Correct the file.", issues);
      await noteLeavers(records, people, { isStaff: form.get("kind") === "staff", home, now });
      return redirectWithNotice(ctx, "/people?group=left", "leavers-noted");
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      return wrong(`Nothing was taken over: ${error.message}.`);
    }
  },
});

export default page(({ data: { issues, error, known } }) => (
  <>
    <PageHeader title="Leavers" path={PEOPLE_PATH} />
    {error && (
      <div class="notice bad" role="alert">
        <p>{error}</p>
        <ul>
          {issues.slice(0, MOST_SHOWN).map(({ line, issue }) => (
            <li key={line}>Line {line}: {issue}</li>
          ))}
          {issues.length > MOST_SHOWN && <li>and others</li>}
        </ul>
      </div>
    )}
    <p>
      Docket lists who left and still receives reports, and opens an incident for each schedule that
      they receive. {formatCountOf(known, "person is", "people are")} known to have left.
    </p>
    <form method="post" encType="multipart/form-data" class="card">
      <label for="file">CSV file, at most 4 MB</label>
      <input id="file" type="file" name="file" accept=".csv,text/csv" required />
      <Choice
        name="kind"
        label="It lists"
        options={[
          { value: "left", text: "who left" },
          { value: "staff", text: "who is still there" },
        ]}
      />
      <div class="row">
        <button type="submit">Compare</button>
      </div>
    </form>
    {known > 0 && (
      <form method="post" encType="multipart/form-data">
        <button type="submit" name="clear" value="true" class="quiet">Forget who left</button>
      </form>
    )}
    <p>
      The first line names the columns:{" "}
      {PEOPLE_COLUMNS.join(", ")}. Each row has a user id or an address; left is the last day, or
      empty.
    </p>
    <pre class="code">{SAMPLE}</pre>
  </>
));

const SAMPLE = `emailAddress,left
sam.okafor@example.com,2026-09-30
jo.weber@example.com,`;
