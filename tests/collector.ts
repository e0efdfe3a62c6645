/** A collector for tests: takes what the program exports over OTLP, as JSON. */
import { serveLocally } from "./processes.ts";

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

/** One series of a metric: its last count or sum. */
export interface CollectedMetric {
  readonly name: string;
  readonly value: number;
  readonly attributes: Attributes;
}

/** A line of the log. */
export interface CollectedLine {
  readonly severity: string;
  readonly text: string;
  readonly traceId: string;
}

/** What came. */
export interface Collector {
  /** The settings that make a program send its telemetry here. */
  readonly env: Readonly<Record<string, string>>;
  /** Every byte that was sent, as text. */
  text(): string;
  spans(): CollectedSpan[];
  metrics(): CollectedMetric[];
  lines(): CollectedLine[];
}

/** Runs a test with a collector on a free port. */
export async function withCollector(test: (collector: Collector) => Promise<void>): Promise<void> {
  const payloads: string[] = [];
  await using server = serveLocally(async (request) => {
    payloads.push(`${request.url} ${await request.text()}`);
    return Response.json({});
  });
  // deno-lint-ignore no-explicit-any
  const all = (...path: string[]): any[] => {
    // deno-lint-ignore no-explicit-any
    let found: any[] = payloads.map((payload) => JSON.parse(payload.slice(payload.indexOf(" "))));
    for (const name of path) found = found.flatMap((value) => value[name] ?? []);
    return found;
  };
  await test({
    env: {
      OTEL_DENO: "true",
      OTEL_SERVICE_NAME: "docket",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: server.origin,
    },
    text: () => payloads.join("\n"),
    spans: () =>
      all("resourceSpans", "scopeSpans", "spans").map((span) => ({
        ...span,
        status: span.status.code,
        attributes: attributesOf(span),
      })),
    metrics: () =>
      all("resourceMetrics", "scopeMetrics", "metrics").flatMap((metric) =>
        (metric.histogram ?? metric.sum ?? metric.gauge).dataPoints.map((point: Counted) => ({
          name: metric.name,
          value: Number(point.count ?? point.asInt ?? point.asDouble),
          attributes: attributesOf(point),
        }))
      ),
    lines: () =>
      all("resourceLogs", "scopeLogs", "logRecords").map((record) => ({
        severity: record.severityText,
        text: record.body.stringValue,
        traceId: record.traceId,
      })),
  });
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
