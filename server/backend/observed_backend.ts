/** Spans and metrics of the two operations, and of the attempts that an upstream needs for one. */
import { type Attributes, context, createContextKey } from "@opentelemetry/api";
import type { FileSetPage, ReportRun } from "../../lib/types.ts";
import type { JsonAnswer } from "../store/store.ts";
import { DURATION, isTelemetryOn, meter } from "../log/telemetry/api.ts";
import { errorName, inSpan } from "../log/telemetry/span.ts";
import { backendFrom, type BackendOf, type BackendQuestion } from "./backend_calls.ts";
import type { BackendKind } from "./service.ts";

const durations = meter.createHistogram("docket.backend.duration", {
  ...DURATION,
  description: "Duration of one operation of the backend, with all its attempts",
});
const retries = meter.createCounter("docket.upstream.retries", {
  description: "Retries of requests to the upstream service",
});

const ATTEMPTS = createContextKey("docket attempts");

/** The backend with spans and metrics of its calls; their errors also go to `onError`. */
export function observedBackend<Page extends Rows, Runs extends Rows>(
  backend: BackendOf<Page, Runs>,
  service: BackendKind,
  onError: (error: unknown, signal?: AbortSignal) => void = () => {},
): BackendOf<Page, Runs> {
  return backendFrom<Page, Runs>(async ({ question, on }) => {
    const { operation } = question;
    const names = { "docket.operation": operation, "docket.service": service };
    const attributes = { ...names, ...attributesOf(question) };
    const attempts = { made: 0 };
    const started = performance.now();
    let outcome = "ok";
    try {
      return await inSpan(operation, { attributes }, async (span) => {
        const counting = context.active().setValue(ATTEMPTS, attempts);
        const rows = await context.with(counting, async () => await on(backend));
        span.setAttribute("docket.rows", countOf(rows));
        return rows;
      });
    } catch (error) {
      outcome = errorName(error);
      onError(error, question.signal);
      throw error;
    } finally {
      const seconds = (performance.now() - started) / 1000;
      durations.record(seconds, { ...names, "docket.outcome": outcome });
      if (attempts.made > 1) retries.add(attempts.made - 1, { "docket.operation": operation });
    }
  });
}

type Rows = FileSetPage | readonly ReportRun[] | JsonAnswer;

function countOf(rows: Rows): number {
  if ("json" in rows) return rows.count;
  return "fileSets" in rows ? rows.fileSets.length : rows.length;
}

/** Sizes and positions only: never what somebody searches for. */
function attributesOf(question: BackendQuestion): Attributes {
  if (question.operation === "history") {
    const { scheduleId, limit, skip } = question;
    return { "docket.schedule_id": scheduleId, "docket.limit": limit, "docket.skip": skip };
  }
  const { body, limit, offset } = question;
  return {
    "docket.limit": limit,
    "docket.offset": offset,
    "docket.filters": body.filters?.length,
    "docket.date_filters": body.dateFilters?.length,
    "docket.sort_keys": body.fieldSort?.length,
  };
}

/** Fetch that counts the attempts of the operation that it is called for. */
export function observedFetch<Args extends unknown[]>(
  fetch: (...args: Args) => Promise<Response>,
): (...args: Args) => Promise<Response> {
  if (!isTelemetryOn) return fetch;
  return (...args) => {
    const attempts = context.active().getValue(ATTEMPTS) as { made: number } | undefined;
    if (attempts) attempts.made++;
    return fetch(...args);
  };
}
