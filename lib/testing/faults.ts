/** Faults of single requests to the test service, and quirks of all of them. */
import type { Runtime } from "../client/transport/runtime.ts";
import { DAY } from "../time_units.ts";

/** What goes wrong with one request. */
export type Fault =
  /** No answer, or only the first half of its body, until the caller gives up. */
  | { readonly kind: "stall"; readonly at: "headers" | "body" }
  /** The connection breaks. */
  | { readonly kind: "reset"; readonly at: "headers" | "body" }
  /** An answer with a bad status. */
  | {
    readonly kind: "status";
    readonly status: number;
    readonly retryAfter?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  }
  /** A good status with a page of HTML. */
  | { readonly kind: "html" }
  /** A good status with the first half of the JSON. */
  | { readonly kind: "truncated" }
  /** A good status with this text, or with no body at all. */
  | { readonly kind: "text"; readonly text: string | null; readonly status?: number };

/** What the service always does, where the interface is open or real services do it wrong. */
export interface Quirks {
  /** The most rows on any page. */
  readonly mostRows?: number;
  /** Whether `pageContext.limit` is then that number. Default: true. */
  readonly reportsLimit?: boolean;
  /** Whether no rows are skipped, even if the request asks for it. Default: false. */
  readonly ignoresOffset?: boolean;
  /** The most rows that are skipped. */
  readonly mostSkipped?: number;
  /** Whether `pageContext.offset` is what was really skipped. Default: true. */
  readonly reportsOffset?: boolean;
  /** `pageContext.total` instead of the number of rows; undefined leaves it out. */
  readonly total?: (rows: number) => unknown;
  /** `pageContext.next`. */
  readonly next?: string;
}

/** How long a service stalls; every client gives up long before. */
const STALL_MS = 365 * DAY;

/** Answers a request, with the fault if one is given. */
export async function answerWithFault(
  fault: Fault | undefined,
  answer: () => Response,
  runtime: Runtime,
  signal?: AbortSignal,
): Promise<Response> {
  switch (fault?.kind) {
    case undefined:
      return answer();
    case "stall":
      if (fault.at === "body") {
        return cutInHalf(answer(), () => runtime.sleep(STALL_MS, signal));
      }
      await runtime.sleep(STALL_MS, signal);
      throw new TypeError("nothing came");
    case "reset":
      if (fault.at === "body") return cutInHalf(answer(), () => Promise.resolve());
      throw new TypeError("connection reset");
    case "status": {
      const { status, body = "", headers, retryAfter } = fault;
      return new Response(status === 204 || status === 304 ? null : body, {
        status,
        headers: { ...headers, ...(retryAfter !== undefined && { "retry-after": retryAfter }) },
      });
    }
    case "html":
      return new Response("<!doctype html><title>Sign in</title>", {
        headers: { "content-type": "text/html" },
      });
    case "truncated": {
      const text = await answer().text();
      return new Response(text.slice(0, Math.ceil(text.length / 2)), {
        headers: { "content-type": "application/json" },
      });
    }
    case "text":
      return new Response(fault.text, { status: fault.status ?? 200 });
  }
}

/** The first half of an answer; after the wait, its connection breaks. */
async function cutInHalf(answer: Response, wait: () => Promise<void>): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const half = bytes.slice(0, Math.ceil(bytes.length / 2));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(half),
    async pull(controller) {
      try {
        await wait();
        controller.error(new TypeError("connection reset"));
      } catch (reason) {
        controller.error(reason);
      }
    },
  }, { highWaterMark: 0 });
  return new Response(body, { status: answer.status, headers: answer.headers });
}
