/**
 * Keeps private data out of spans. Deno's own spans carry the whole URL, with search terms and sign-in
 * codes in it, and error messages, and an attribute can't be removed once set. So the methods that
 * write to spans let only the attributes named here through.
 */
import type { Attributes, AttributeValue, Span, SpanStatus } from "@opentelemetry/api";
import { knownMethod, routePattern } from "../../http/paths.ts";
import { isTelemetryOn, tracer } from "./api.ts";

/** The attributes that spans may have: of requests, upstream calls and the database. */
const ALLOWED = new Set([
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "url.scheme",
  "url.template",
  "db.system.name",
  "db.operation.name",
  "db.collection.name",
]);

const OWN = "docket.";

/**
 * Limits the spans of this process to allowed attributes, and to names made of a method and a route.
 * Must be called before the first span.
 */
export function keepSpansPrivate(): void {
  if (!isTelemetryOn) return;
  // Deno offers no other way: it has no span processors and does not export the class.
  const spans: Span = Object.getPrototypeOf(tracer.startSpan("probe"));
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
  spans.recordException = () => {};
}

function allowedAttribute(name: string, value: AttributeValue): [string, AttributeValue] | null {
  // Only the route's pattern, never the path itself.
  if (name === "url.path") return ["url.template", routePattern(String(value))];
  if (name === "http.request.method") return [name, knownMethod(String(value))];
  return ALLOWED.has(name) || name.startsWith(OWN) ? [name, value] : null;
}
