import { type Coverage, type EvidenceQuestion, makePack } from "../../../lib/evidence/mod.ts";
import { startOfDay } from "../../../lib/days.ts";
import { timeText } from "../../../lib/format.ts";
import { searchLimitIssues } from "../../../server/api/search_request.ts";
import { currentEvidenceKey } from "../../../server/backend/evidence_keys.ts";
import { VERSION } from "../../../server/config/version.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { describeCoverage } from "../../../server/inventory/coverage.ts";
import { parseScheduleIds } from "../../../server/schedules/schedule_id_list.ts";
import type { ObserverRecords } from "../../../server/store/observer/observer_records.ts";
import { primedRows } from "../../_download.ts";
import { answerOrProblem, pageError } from "../../_errors.ts";
import { handler, page } from "./$index.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";
import { FILE_SETS } from "../../../components/file_sets/file_sets_view.ts";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { ErrorNotice } from "../../../components/ui/error_notice.tsx";

/**
 * Streams a pack of evidence while it is made: of a search for file sets, or with `schedules`, of a
 * history since the day `since` or of recipients on the day `on`. Browsers see errors as a page.
 */
export const handlers = handler({
  async GET(ctx) {
    const pack = async () => {
      const { services, person, preferences, statuses, signedIn, requestId, origin } = ctx.state;
      // Not one that filters itself: what is signed was found by the service.
      const backend = services.backendFor(signedIn!.token, { requestId, timeouts: "download" });
      const { records, recordsSealing, settings, runtime } = services;
      const question = readQuestion(ctx.url.searchParams, preferences.zone, runtime.now());
      if (!records || !recordsSealing) {
        throw new ProblemError(503, "Signing needs a database: set DATABASE_URL");
      }
      const { privateKey } = await currentEvidenceKey(records, recordsSealing, runtime.now());
      // Asked first, so that a refusal is a page, and not a file that breaks off.
      const ids = scheduleIdsOf(question);
      if (question.kind === "search") await backend.fileSets.search(question.body, { limit: 1 });
      for (const id of ids) await backend.reportSchedules.history(id, { limit: 1 });
      const { stream } = makePack(backend, question, {
        service: settings.serviceBaseUrl ?? origin,
        docket: VERSION,
        statuses,
        key: privateKey,
        now: runtime.now,
        signal: ctx.req.signal,
        coverage: await coverageOf(records),
        ...(person && { by: person }),
      });
      const ends = new Set([ids.at(0), ids.at(-1)].filter((id) => id !== undefined));
      const day = timeText(runtime.now()).slice(0, 10);
      const name = `${["evidence", question.kind, ...ends, day].join("-")}.zip`;
      const pieces = await primedRows(ctx, started(stream));
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

/** Starts the response at once, since the first rows may take minutes. */
async function* started(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
  yield* stream;
}

function scheduleIdsOf(question: EvidenceQuestion): readonly number[] {
  if (question.kind === "search") return [];
  return question.kind === "history" ? [question.scheduleId] : question.scheduleIds;
}

function readQuestion(params: URLSearchParams, zone: string, now: number): EvidenceQuestion {
  const invalid = (parameter: string, detail: string) =>
    new ProblemError(400, "This link is not valid", { errors: [{ parameter, detail }] });
  const day = (name: "since" | "on") => {
    const text = params.get(name);
    if (!text) return undefined;
    if (startOfDay(text, zone) === undefined) {
      throw invalid(name, "must be a day, such as 2026-09-30");
    }
    if (startOfDay(text, zone)! > now) throw invalid(name, "must not be in the future");
    return text;
  };
  const list = params.get("schedules");
  if (list === null) {
    const { view, issues } = parsePageView(params, FILE_SETS, { zone, now });
    const errors = [...issues, ...searchLimitIssues(view.body)];
    if (errors.length > 0) throw new ProblemError(400, "This link is not valid", { errors });
    return { kind: "search", body: view.body };
  }
  const { ids, invalid: wrong, isCut } = parseScheduleIds(list);
  if (ids.length === 0 || wrong.length > 0 || isCut) {
    throw invalid("schedules", "must be ids and ranges of schedules, such as 101-112");
  }
  const on = day("on");
  if (on !== undefined) return { kind: "recipients", scheduleIds: ids, on, zone };
  if (ids.length > 1) throw invalid("on", "must be a day, such as 2026-09-30");
  const since = day("since");
  return {
    kind: "history",
    scheduleId: ids[0],
    ...(since && { since: timeText(startOfDay(since, zone)!) }),
  };
}

async function coverageOf({ idSearches, retention }: ObserverRecords): Promise<Coverage> {
  const since = await retention.retainedSince();
  const searches = await idSearches.searches();
  const known = await idSearches.countKnown();
  return {
    schedulesKnown: known,
    idsAsked: searches.length > 0 ? describeCoverage(known, searches, "UTC") : null,
    ledgerSince: since === undefined ? null : timeText(since),
  };
}
