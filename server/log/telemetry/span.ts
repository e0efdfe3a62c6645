/** Work within a span of its own. */
import { type Attributes, type Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { isDocketError } from "../../../lib/errors.ts";
import { isProblemError, problemOf } from "../../http/problem.ts";
import { tracer } from "./api.ts";

/** Does work in a span, which is marked when it fails; what the service is at fault for as an error. */
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

/** Names a fault in few words, of which there are not many: `http 429`, `timeout`, `problem 400`. */
export function errorName(error: unknown): string {
  if (isDocketError(error)) return error.kind === "http" ? `http ${error.status}` : error.kind;
  return isProblemError(error) ? `problem ${error.problem.status}` : "unexpected";
}
