import { PageHeader } from "../../../components/page/page_header.tsx";
import { ErrorNotice } from "../../../components/ui/error_notice.tsx";
import { startOfDay } from "../../../lib/days.ts";
import type { EvidenceQuestion } from "../../../lib/evidence/manifest.ts";
import { makePack } from "../../../lib/evidence/write_pack.ts";
import { timeText } from "../../../lib/format.ts";
import { loadEvidenceKey } from "../../../server/backend/evidence_keys.ts";
import { VERSION } from "../../../server/config/version.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import {
  MAX_EVIDENCE_SCHEDULES,
  readScheduleIds,
} from "../../../server/schedules/schedule_id_list.ts";
import { DOWNLOAD_PAGE_LIMIT, primedRows } from "../../_download.ts";
import { answerOrProblem, pageError } from "../../_errors.ts";
import { readLink } from "../filesets/_read_search.ts";
import { handler, page } from "./$index.ts";

/**
 * Streams a pack of signed evidence while it is made: of a search for file sets, or with `schedules`, of their runs
 * or of who received them on the day `on`. Browsers see errors as a page.
 */
export const handlers = handler({
  async GET(ctx) {
    const pack = async () => {
      const { services, person, preferences, statuses, signedIn, requestId, origin } = ctx.state;
      const { records, recordsSealing, settings, runtime } = services;
      const { searchParams } = ctx.url;
      const question = readQuestion(ctx, preferences.zone, runtime.now());
      if (!records || !recordsSealing) {
        throw new ProblemError(503, "Signing needs a database: set DATABASE_URL");
      }
      // Not one that filters itself: what is signed was found by the service.
      const backend = services.backendFor(signedIn!.token, { requestId, timeouts: "download" });
      const bytes = makePack(backend, question, {
        key: await (await loadEvidenceKey(records, recordsSealing)).unseal(),
        service: settings.serviceBaseUrl ?? origin,
        docket: VERSION,
        masked: searchParams.get("addresses") !== "shown",
        limit: DOWNLOAD_PAGE_LIMIT,
        signal: ctx.req.signal,
        now: runtime.now,
        ...{ statuses, ...(person && { by: person }) },
      });
      const pieces = await primedRows(ctx, bytes);
      const name = `evidence-${timeText(runtime.now()).slice(0, 10)}.zip`;
      return new Response(ReadableStream.from(pieces), {
        headers: {
          "content-type": "application/zip",
          "content-disposition": `attachment; filename="${name}"`,
        },
      });
    };
    if (!ctx.req.headers.get("accept")?.includes("text/html")) return answerOrProblem(ctx, pack);
    try {
      return await pack();
    } catch (thrown) {
      const { error, ...answer } = pageError(thrown, ctx);
      return { data: { error }, ...answer };
    }
  },
});

export default page(({ data: { error } }) => (
  <>
    <PageHeader title="Signed evidence" />
    <ErrorNotice error={error} />
  </>
));

function readQuestion(
  ctx: Parameters<typeof readLink>[0],
  zone: string,
  now: number,
): EvidenceQuestion {
  const { searchParams } = ctx.url;
  const [list, on] = [searchParams.get("schedules"), searchParams.get("on")];
  if (list === null) return { body: readLink(ctx).body };
  const { ids, issue } = readScheduleIds(list, MAX_EVIDENCE_SCHEDULES);
  const isDay = on === null || (startOfDay(on, zone) ?? Infinity) <= now;
  const wrongIds = issue ?? (ids.length > 0 ? null : "must have an id");
  const errors = [
    ...wrongIds ? [{ parameter: "schedules", detail: wrongIds }] : [],
    ...isDay ? [] : [{ parameter: "on", detail: "must be a day until today, such as 2026-09-30" }],
  ];
  if (errors.length > 0) throw new ProblemError(400, "This link is not valid", { errors });
  return { scheduleIds: ids, ...(on !== null && { on, zone }) };
}
