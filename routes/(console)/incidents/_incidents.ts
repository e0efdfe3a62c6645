import { outletsOf } from "../../../server/observer/outlets/outlets.ts";
import type { Services } from "../../../server/program/services.ts";

export { recordsOf } from "../../../server/pages/page_request.ts";

export function outletsFor({ settings }: Services) {
  return outletsOf(settings.observer);
}
