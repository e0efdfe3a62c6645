import type { Log } from "../log/log.ts";
import type { Services } from "./services.ts";

/** What the server attaches to each request before routing. */
export interface Attached {
  readonly services: Services;
  readonly requestId: string;
  readonly log: Log;
  readonly client: string;
}

/** Routes and entry are bundled apart, each with its own copy of this module; both see the request. */
const attached = Symbol.for("docket.attached");

export function attach(request: Request, value: Attached): void {
  Object.defineProperty(request, attached, { value, configurable: true });
}

/** What {@linkcode attach} attached; undefined in development, which has no entry of ours. */
export function attachedTo(request: Request): Attached | undefined {
  return (request as Request & { [attached]?: Attached })[attached];
}
