/** What a page is loaded from in tests: the records, in UTC, and nothing of a server but what it lacks. */
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import type { PageState } from "../../../server/pages/page_request.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";

/** The state of a request, with settings and services of the test's own. */
export function pageState(
  records: ObserverRecords,
  { settings, ...services }: { readonly settings?: object; readonly [name: string]: unknown } = {},
): PageState {
  const ours = { homeDomains: [], observer: { mailTo: [] }, ...settings };
  return {
    services: { records, settings: ours, ...services },
    statuses: defaultStatusDictionary(),
    preferences: { zone: "UTC" },
  } as unknown as PageState;
}
