import type { Log } from "../log/log.ts";
import type { Services } from "./services.ts";

export interface Attached {
  readonly services: Services;
  readonly requestId: string;
  readonly log: Log;
  readonly client: string;
}

/** A registered symbol, because routes and entry are bundled with separate copies of this module. */
const attached = Symbol.for("docket.attached");

export function attach(request: Request, value: Attached): void {
  Object.defineProperty(request, attached, { value });
}

/** The attached data; undefined in development, which does not use our entry. */
export function attachedTo(request: Request): Attached | undefined {
  return (request as Request & { [attached]?: Attached })[attached];
}
