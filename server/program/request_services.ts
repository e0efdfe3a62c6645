/** The services that a request is served with, carried by the request itself. */
import type { RequestLog } from "../log/log.ts";
import type { Services } from "./services.ts";

/** What the server adds to each request before a route sees it. */
export interface Attached {
  readonly services: Services;
  /** Names the request in the log, in the answer and in problem documents. */
  readonly requestId: string;
  /** The log, whose lines name the request. */
  readonly log: RequestLog;
  /** Where the request comes from, to count by. */
  readonly client: string;
}

/**
 * The build bundles routes and the server's entry apart, each with its own copy of this module: what
 * they share has to hang on the one object that both see.
 */
const attached = Symbol.for("docket.attached");

/** Gives a request what it is served with. */
export function attach(request: Request, value: Attached): void {
  Object.defineProperty(request, attached, { value, configurable: true });
}

/** What a request was given by {@linkcode attach}; undefined in development, which has no entry. */
export function attachedTo(request: Request): Attached | undefined {
  return (request as Request & { [attached]?: Attached })[attached];
}
