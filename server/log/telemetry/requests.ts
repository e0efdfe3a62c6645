/** The span of a request, which Deno starts and ends. */
import { trace } from "@opentelemetry/api";
import { isTelemetryOn } from "./api.ts";

/** Names the current request's span by its route, which Deno's request metrics take from there. */
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
