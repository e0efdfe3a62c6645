/** What goes wrong with single answers of the test service, and what it always does wrong. */

/** What goes wrong with one request. */
export type Fault =
  /** Nothing comes, or only the first half of the body, until the caller gives up. */
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

/** What the service always does, where the interface leaves it open or others do it wrong. */
export interface Quirks {
  /** No page has more rows than this. */
  readonly mostRows?: number;
  /** Whether `pageContext.limit` says so. Default: true. */
  readonly reportsLimit?: boolean;
  /** Skips nothing, whatever was asked. */
  readonly ignoresOffset?: boolean;
  /** Skips no more rows than this. */
  readonly mostSkipped?: number;
  /** Whether `pageContext.offset` is what was really skipped. Default: true. */
  readonly reportsOffset?: boolean;
  /** What stands in `pageContext.total` in place of the number of rows; undefined leaves it out. */
  readonly total?: (rows: number) => unknown;
  /** What stands in `pageContext.next`. */
  readonly next?: string;
}
