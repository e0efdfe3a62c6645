/** The program with its telemetry on, and a collector that takes what it exports over OTLP, as JSON. */
import { serveLocally } from "./processes.ts";
import { type Program, withProgram } from "./program.ts";

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A span, as far as the tests look at it. */
export interface CollectedSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceId: string;
  /** 2 is an error. */
  readonly status: number;
  readonly attributes: Attributes;
}

/** What came. */
type Collector = ReturnType<typeof readPayloads>;

/**
 * Lets a program export to a collector, and ends it when the test has used it: everything is exported
 * when it ends by itself.
 */
export async function collectFrom(
  env: Readonly<Record<string, string>>,
  use: (program: Program) => Promise<void>,
  look: (collector: Collector, program: Program) => Promise<void> | void,
): Promise<void> {
  const payloads: string[] = [];
  await using server = serveLocally(async (request) => {
    payloads.push(`${request.url} ${await request.text()}`);
    return Response.json({});
  });
  const exporting = {
    OTEL_DENO: "true",
    OTEL_SERVICE_NAME: "docket",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_ENDPOINT: server.origin,
  };
  await withProgram({ ...exporting, LOG_LEVEL: "debug", ...env }, async (program) => {
    await use(program);
    await program.end();
    await look(readPayloads(payloads), program);
  });
}

function readPayloads(payloads: readonly string[]) {
  // deno-lint-ignore no-explicit-any
  const all = (...path: string[]): any[] => {
    // deno-lint-ignore no-explicit-any
    let found: any[] = payloads.map((payload) => JSON.parse(payload.slice(payload.indexOf(" "))));
    for (const name of path) found = found.flatMap((value) => value[name] ?? []);
    return found;
  };
  return {
    /** Every byte that was sent, as text. */
    text: () => payloads.join("\n"),
    spans: (): CollectedSpan[] =>
      all("resourceSpans", "scopeSpans", "spans").map((span) => ({
        ...span,
        status: span.status.code,
        attributes: attributesOf(span),
      })),
    /** The series of metrics, each with its last count or sum. */
    metrics: () =>
      all("resourceMetrics", "scopeMetrics", "metrics").flatMap((metric) =>
        (metric.histogram ?? metric.sum ?? metric.gauge).dataPoints.map((point: Counted) => ({
          name: metric.name,
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

interface Counted {
  readonly count?: string;
  readonly asInt?: number;
  readonly asDouble?: number;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: Readonly<Record<string, string | number | boolean>>;
  }[];
}

function attributesOf({ attributes }: Pick<Counted, "attributes">): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
