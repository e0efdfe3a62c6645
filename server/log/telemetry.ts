/** What Deno exports over OpenTelemetry, limited to attributes without private data. */
import {
  type Attributes,
  type AttributeValue,
  type Span,
  type SpanStatus,
  trace,
} from "@opentelemetry/api";
import { knownMethod } from "../http/paths.ts";

/** Never ended, so it is not exported. */
const probe = trace.getTracer("docket").startSpan("probe");

export const isTelemetryOn: boolean = probe.isRecording();

/** The attributes that spans may have: of requests, and of requests to the upstream service. */
const ALLOWED = new Set([
  "docket.request_id",
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "url.scheme",
]);

/** Limits spans to allowed attributes and names; to be called before the first span. */
export function keepSpansPrivate(): void {
  if (!isTelemetryOn) return;
  // Deno offers no other way: it has no span processors and does not export the class.
  const spans: Span = Object.getPrototypeOf(probe);
  const { setAttribute, setStatus, updateName } = spans;
  spans.setAttribute = function (this: Span, name: string, value: AttributeValue) {
    const allowed = allowedAttribute(name, value);
    return allowed ? setAttribute.call(this, ...allowed) : this;
  };
  spans.setAttributes = function (this: Span, attributes: Attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) this.setAttribute(name, value);
    }
    return this;
  };
  spans.setStatus = function (this: Span, { code }: SpanStatus) {
    return setStatus.call(this, { code });
  };
  spans.updateName = function (this: Span, name: string) {
    const [method, ...route] = name.split(" ");
    return updateName.call(this, [knownMethod(method), ...route].join(" "));
  };
  spans.addEvent = spans.addLink = spans.addLinks = function (this: Span) {
    return this;
  };
}

function allowedAttribute(name: string, value: AttributeValue): [string, AttributeValue] | null {
  if (name === "http.request.method") return [name, knownMethod(String(value))];
  return ALLOWED.has(name) ? [name, value] : null;
}

/** Names the request's span by its route, which Deno's request metrics use too. */
export function nameRequest(method: string, route: string, requestId: string): void {
  if (!isTelemetryOn) return;
  const span = trace.getActiveSpan();
  span?.updateName(`${method} ${route}`);
  span?.setAttributes({ "http.route": route, "docket.request_id": requestId });
}
