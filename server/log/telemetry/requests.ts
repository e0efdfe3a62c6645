/** The span of a request, which Deno begins and ends. */
import { trace } from "@opentelemetry/api";
import { isTelemetryOn } from "./api.ts";

/**
 * Names the present request's span by its route. Deno's own metrics of requests take the route from
 * there.
 */
export function nameRequest(
  { method, route, requestId }: {
    readonly method: string;
    /** The pattern of the path. */
    readonly route: string;
    readonly requestId: string;
  },
): void {
  if (!isTelemetryOn) return;
  const span = trace.getActiveSpan();
  span?.updateName(`${method} ${route}`);
  span?.setAttributes({ "http.route": route, "docket.request_id": requestId });
}
