/**
 * Docket's own spans and metrics, through OpenTelemetry's API. Deno implements it when `OTEL_DENO` is
 * set; otherwise all of it does nothing.
 */
import { metrics, trace } from "@opentelemetry/api";

export const tracer = trace.getTracer("docket");
export const meter = metrics.getMeter("docket");

/** Whether Deno exports telemetry. This span is never ended, so it is not exported. */
export const isTelemetryOn: boolean = tracer.startSpan("probe").isRecording();

/** Histogram bounds for durations in seconds: those of Deno's own metrics, and finer ones below. */
export const DURATION = {
  unit: "s",
  advice: {
    explicitBucketBoundaries: [
      ...[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1],
      ...[0.25, 0.5, 1, 2.5, 5, 10, 30],
    ],
  },
};
