/**
 * Docket's own spans and metrics, by way of OpenTelemetry's interface. Deno stands behind it where
 * `OTEL_DENO` is set; else all of it does nothing.
 */
import { metrics, trace } from "@opentelemetry/api";

export const tracer = trace.getTracer("docket");
export const meter = metrics.getMeter("docket");

/** Whether Deno exports telemetry. A span that is never ended is not exported. */
export const isTelemetryOn: boolean = tracer.startSpan("probe").isRecording();

/** Bounds for durations in seconds: those of Deno's own, and finer ones for what takes no time. */
export const DURATION = {
  unit: "s",
  advice: {
    explicitBucketBoundaries: [
      ...[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1],
      ...[0.25, 0.5, 1, 2.5, 5, 10, 30],
    ],
  },
};
