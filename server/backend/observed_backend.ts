/** Spans and metrics of the two operations, and of the attempts that an upstream needs for one. */
import { type Attributes, context, createContextKey } from "@opentelemetry/api";
import type { Backend } from "../../lib/backend.ts";
import { DURATION, isTelemetryOn, meter } from "../log/telemetry/api.ts";
import { errorName, inSpan } from "../log/telemetry/span.ts";

const durations = meter.createHistogram("docket.backend.duration", {
  ...DURATION,
  description: "Time of one operation of the backend, with all attempts",
});
const retries = meter.createCounter("docket.upstream.retries", {
  description: "Attempts that an upstream service needed beside the first",
});

const ATTEMPTS = createContextKey("docket attempts");

/** The backend, observed; the very same one without telemetry. */
export function observedBackend(backend: Backend, service: "embedded" | "upstream"): Backend {
  if (!isTelemetryOn) return backend;
  return {
    fileSets: {
      search: (body = {}, options = {}) =>
        observed("search", service, {
          "docket.limit": options.limit,
          "docket.offset": options.offset,
          "docket.filters": body.filters?.length,
          "docket.date_filters": body.dateFilters?.length,
          "docket.sort_keys": body.fieldSort?.length,
        }, async () => {
          const page = await backend.fileSets.search(body, options);
          return { result: page, rows: page.fileSets.length };
        }),
    },
    reportSchedules: {
      history: (scheduleId, options = {}) =>
        observed("history", service, {
          "docket.schedule_id": scheduleId,
          "docket.limit": options.limit,
          "docket.skip": options.skip,
        }, async () => {
          const runs = await backend.reportSchedules.history(scheduleId, options);
          return { result: runs, rows: runs.length };
        }),
    },
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

async function observed<T>(
  operation: string,
  service: string,
  asked: Attributes,
  work: () => Promise<{ readonly result: T; readonly rows: number }>,
): Promise<T> {
  const names = { "docket.operation": operation, "docket.service": service };
  const attempts = { made: 0 };
  const started = performance.now();
  let outcome = "ok";
  try {
    return await inSpan(operation, { attributes: { ...names, ...asked } }, async (span) => {
      const counting = context.active().setValue(ATTEMPTS, attempts);
      const { result, rows } = await context.with(counting, work);
      span.setAttribute("docket.rows", rows);
      return result;
    });
  } catch (error) {
    outcome = errorName(error);
    throw error;
  } finally {
    durations.record((performance.now() - started) / 1000, { ...names, "docket.outcome": outcome });
    if (attempts.made > 1) retries.add(attempts.made - 1, { "docket.operation": operation });
  }
}
