/**
 * Keeps what is nobody's business out of spans. Deno's own spans carry the whole URL, with search
 * words and sign-in codes in it, and the messages of errors; what is set once can't be removed. So
 * it is stopped where spans are written to: nothing gets into one that is not named here.
 */
import type { Attributes, AttributeValue, Span, SpanStatus } from "@opentelemetry/api";
import { knownMethod, routePattern } from "../../http/route_pattern.ts";
import { isTelemetryOn, tracer } from "./api.ts";

/** What spans may say, of requests, of upstream calls and of the database. */
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

/** The names of Docket's own attributes begin so. */
const OWN = "docket.";

/**
 * From now on, spans of this process say only what they may, and are renamed only by a method and a
 * route. Has to be called before the first one.
 */
export function keepSpansPrivate(): void {
  if (!isTelemetryOn) return;
  // Deno gives no other place: there are no span processors, and the class has no name.
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
  // Of a path only what is the same for everybody.
  if (name === "url.path") return ["url.template", routePattern(String(value))];
  if (name === "http.request.method") return [name, knownMethod(String(value))];
  return ALLOWED.has(name) || name.startsWith(OWN) ? [name, value] : null;
}
