/** The page Incidents, and the deliveries of their messages. */
import { outletLabels } from "../observer/routing.ts";
import type { Page } from "../store/records/transaction_step.ts";
import { createOutlets } from "../observer/outlets/outlets.ts";
import { deliveryRow, loadIncidentRows } from "./incident_rows.ts";
import { PAGE, readFilter } from "./filter.ts";
import { type PageState, requireRecords } from "./page_request.ts";

export const INCIDENT_STATES = ["open", "resolved", "all"] as const;
export const DELIVERY_STATES = ["all", "waiting", "sent", "given-up"] as const;

/** The incidents in a state, the most urgent first, with how many there are in each. */
export async function loadIncidents(
  { services, preferences: { zone } }: PageState,
  params: URLSearchParams,
) {
  const records = requireRecords(services);
  const read = readFilter(params);
  const state = read.choice("state", INCIDENT_STATES);
  const { scheduleId, typed } = read.schedule();
  // The causes are those of all open ones.
  const hasCauses = state === "open" && typed === "";
  const code = hasCauses ? params.get("code") || undefined : undefined;
  const offset = read.offset();
  const now = Date.now();
  const of = (
    state: typeof INCIDENT_STATES[number],
    page: Parameters<typeof records.incidents.list>[0],
  ) =>
    records.incidents.list({
      ...(state !== "all" && { state }),
      ...(scheduleId !== undefined && { scheduleId }),
      ...page,
    });
  const counts = await Promise.all(
    INCIDENT_STATES.map(async (each) => [each, (await of(each, { limit: 1 })).total] as const),
  );
  const isValid = read.issues.length === 0;
  const { items, total } = isValid
    ? await of(state, { ...(code && { code }), limit: PAGE, offset })
    : { items: [], total: 0 };
  return {
    rows: await loadIncidentRows(records, items, { now, zone }),
    position: { start: offset, count: items.length, limit: PAGE, total },
    /** How many of the open ones have which cause. */
    causes: hasCauses ? await records.incidents.countByCode() : [],
    counts: Object.fromEntries(counts) as Record<typeof INCIDENT_STATES[number], number>,
    filter: { state, typed, code },
    issues: read.issues,
    now,
  };
}

export async function loadDeliveries(
  { services }: PageState,
  params: URLSearchParams,
) {
  const records = requireRecords(services);
  const read = readFilter(params);
  const state = read.choice("state", DELIVERY_STATES);
  const offset = read.offset();
  const list = (of: typeof state, page: Page) =>
    records.messages.list({ ...(of !== "all" && { state: of }), ...page });
  const { items, total } = read.issues.length === 0
    ? await list(state, { limit: PAGE, offset })
    : { items: [], total: 0 };
  const counts = await Promise.all(
    DELIVERY_STATES.map(async (each) => [each, (await list(each, { limit: 1 })).total] as const),
  );
  const label = await outletLabels(records);
  return {
    deliveries: items.map((item) => deliveryRow(item, label)),
    position: { start: offset, count: items.length, limit: PAGE, total },
    filter: { state },
    issues: read.issues,
    counts: Object.fromEntries(counts) as Record<typeof state, number>,
    outlets: createOutlets(services.settings.observer).map(({ name }) => name),
  };
}
