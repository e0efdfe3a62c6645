import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { isDocketError } from "../../../lib/errors.ts";
import { isProblemError, problemOf } from "../../http/problem.ts";
import { isTelemetryOn, tracer } from "./api.ts";

/** Runs work in a span. An error is noted on it; only those of the server or upstream mark it failed. */
export async function inSpan<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes }: {
    readonly kind?: SpanKind;
    readonly attributes: Attributes;
  },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return await tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setAttribute("error.type", errorName(error));
      if (problemOf(error).status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A short name with few values, for metrics: `http 429`, `timeout`, `problem 400`. */
export function errorName(error: unknown): string {
  if (isDocketError(error)) return error.kind === "http" ? `http ${error.status}` : error.kind;
  return isProblemError(error) ? `problem ${error.problem.status}` : "unexpected";
}

/**
 * Names the span of the current request by its route. Deno starts and ends this span, and takes the
 * route of its request metrics from there.
 */
export function nameRequest(
  { method, route, requestId }: {
    readonly method: string;
    readonly route: string;
    readonly requestId: string;
  },
): void {
  if (!isTelemetryOn) return;
  const span = trace.getActiveSpan();
  span?.updateName(`${method} ${route}`);
  span?.setAttributes({ "http.route": route, "docket.request_id": requestId });
}
