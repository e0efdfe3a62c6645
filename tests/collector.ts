/** The program with its telemetry on, and a collector that takes what it exports over OTLP, as JSON. */
import { type Program, withProgram } from "./program.ts";
import { withReceiver } from "./server/observer/receiver.ts";

/** What OTLP says, as deep as it is. */
// deno-lint-ignore no-explicit-any
type Json = any;

/** What came. */
type Collector = ReturnType<typeof readPayloads>;

/**
 * Lets a program export to a collector, and ends it when the test has used it: everything is exported
 * when it ends by itself.
 */
export async function collectFrom(
  env: Readonly<Record<string, string>>,
  use: (program: Program) => Promise<void>,
  check: (collector: Collector, program: Program) => Promise<void> | void,
): Promise<void> {
  await withReceiver(() => Response.json({}), async (endpoint, received) => {
    const exporting = {
      OTEL_DENO: "true",
      OTEL_SERVICE_NAME: "docket",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    };
    await withProgram({ ...exporting, LOG_LEVEL: "debug", ...env }, async (program) => {
      await use(program);
      await program.end();
      await check(readPayloads(received.map(({ body }) => body)), program);
    });
  });
}

function readPayloads(payloads: readonly string[]) {
  const all = (...path: string[]): Json[] =>
    path.reduce(
      (found: Json[], name) => found.flatMap((value) => value[name] ?? []),
      payloads.map((payload) => JSON.parse(payload)),
    );
  return {
    /** Every byte that was sent, as text. */
    text: () => payloads.join("\n"),
    spans: () =>
      all("resourceSpans", "scopeSpans", "spans")
        .map((span) => ({ ...span, attributes: attributesOf(span) })),
    /** The series of metrics, each with its last count or sum. */
    metrics: () =>
      all("resourceMetrics", "scopeMetrics", "metrics").flatMap(({ name, histogram, sum, gauge }) =>
        (histogram ?? sum ?? gauge).dataPoints.map((point: Json) => ({
          name,
          value: Number(point.count ?? point.asInt ?? point.asDouble),
          attributes: attributesOf(point),
        }))
      ),
    /** The lines of the log. */
    lines: () =>
      all("resourceLogs", "scopeLogs", "logRecords").map((record) => ({
        severity: record.severityText,
        text: record.body.stringValue,
        traceId: record.traceId,
      })),
  };
}

function attributesOf({ attributes }: Json): Json {
  return Object.fromEntries(
    attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]),
  );
}
