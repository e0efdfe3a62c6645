import { type RecipientSpan, SPAN_COLUMNS } from "../../../lib/runs/recipient_spans.ts";
import type { PeopleFilter } from "../../../server/store/people/people_list.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import { downloadResponse, maskedUnlessShown, readFormat } from "../../_download.ts";
import { answerOrProblem } from "../../_errors.ts";
import { requireRecords } from "../../../server/pages/page_request.ts";
import {
  fileSubject,
  peopleOf,
  readPeopleLink,
  spanRows,
} from "../../../server/pages/people_page.ts";
import { domainsNow } from "../../../server/schedules/recipient_facts.ts";
import { handler } from "./$export.ts";

const PAGE = 200;

export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const { searchParams } = ctx.url;
      const { link, issues } = readPeopleLink(searchParams);
      const format = readFormat(searchParams, issues);
      const { services } = ctx.state;
      const records = requireRecords(services);
      const filter = { ...await domainsNow(records, services.settings, Date.now()), ...link };
      const rows = receiptSpans(peopleOf(records, link.scheduleId), filter);
      return await downloadResponse(ctx, {
        subject: await fileSubject("people", records, link.scheduleId),
        format,
        rows: maskedUnlessShown(searchParams, rows),
        columns: SPAN_COLUMNS,
      });
    }),
});

async function* receiptSpans(
  people: ObserverRecords["people"],
  filter: PeopleFilter,
): AsyncGenerator<RecipientSpan> {
  const all = await people.ids(filter);
  for (let at = 0; at < all.length; at += PAGE) {
    const ids = all.slice(at, at + PAGE);
    yield* spanRows(await people.some(ids), await people.receipts(ids));
  }
}
