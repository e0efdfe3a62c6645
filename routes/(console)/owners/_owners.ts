import type { OwnerFields } from "../../../components/runs/owners/owner_form.tsx";
import { readPersonName } from "../../../server/http/cookies.ts";
import { assignOwner, type OwnerServices, saveOwner } from "../../../server/observer/save_owner.ts";
import { idRanges } from "../../../server/schedules/coverage.ts";
import { readScheduleIds } from "../../../server/schedules/schedule_id_list.ts";
import type { Acting } from "../../../server/store/records/events.ts";
import type { Services } from "../../../server/program/services.ts";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  type Owner,
} from "../../../server/store/records/owners.ts";
import type { ConsoleState } from "../_middleware.ts";
import { recordsOf } from "../incidents/_incidents.ts";

export function ownerServices(services: Services): OwnerServices {
  const { recordsSealing, settings } = services;
  return { records: recordsOf(services), sealing: recordsSealing!, settings: settings.observer };
}

export function ownerFields(
  { preferences: { zone } }: ConsoleState,
  headers: Headers,
  owner?: Owner,
): OwnerFields {
  const { quiet } = owner ?? {};
  return {
    name: readPersonName(headers),
    zone: quiet?.zone ?? zone,
    from: quiet?.from,
    to: quiet?.to,
    holdsCritical: quiet?.holdsCritical ? "on" : "",
  };
}

const SECRET_FIELDS = ["slack", "teams", "webhook", "webhookSecret"];

export function withoutSecrets(form: URLSearchParams): OwnerFields {
  return Object.fromEntries([...form].filter(([name]) => !SECRET_FIELDS.includes(name)));
}

export async function saveOwnerForm(
  services: Services,
  form: URLSearchParams,
  name: string,
  by: Acting,
): Promise<OwnerFields> {
  const text = (field: string) => form.get(field)?.trim() ?? "";
  const { watches } = recordsOf(services);
  const given = readScheduleIds(text("give"));
  const known = new Set((await watches.known(given.ids)).map(({ scheduleId }) => scheduleId));
  const unknown = given.ids.filter((id) => !known.has(id));
  const issue = given.issue ??
    (unknown.length > 0 && `must be known schedules, not ${idRanges(unknown)}`);
  if (issue) return { give: issue };
  const removed = form.getAll("remove");
  const channels: Partial<Record<ChannelKind, string | null>> = {};
  for (const kind of CHANNEL_KINDS) {
    const secret = kind === "webhook" ? text("webhookSecret") : "";
    const value = `${text(kind)} ${secret}`.trim();
    if (removed.includes(kind)) channels[kind] = null;
    else if (value !== "") channels[kind] = value;
  }
  const [from, to] = [text("from"), text("to")];
  const quiet = from === "" && to === ""
    ? null
    : { from, to, zone: text("zone"), holdsCritical: form.get("holdsCritical") === "on" };
  const newName = form.has("owner") ? text("owner") : name;
  const owner = { name, to: newName, channels, quiet };
  const issues = await saveOwner(ownerServices(services), owner, by);
  if (Object.keys(issues).length === 0) await assignOwner({ watches }, given.ids, newName, by);
  return issues;
}
