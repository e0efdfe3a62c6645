import type { OwnerFields } from "../../../components/runs/owners/owner_form.tsx";
import type { ActionServices } from "../../../server/actions/action_services.ts";
import { saveOwner } from "../../../server/actions/save_owner.ts";
import type { Acting } from "../../../server/store/records/events.ts";
import { CHANNEL_KINDS, type ChannelKind } from "../../../server/store/records/owners.ts";
import { fieldIssues, formProblem } from "../_actions.ts";

const SECRET_FIELDS = ["slack", "teams", "webhook", "webhookSecret"];

export function withoutSecrets(form: URLSearchParams): OwnerFields {
  return Object.fromEntries([...form].filter(([name]) => !SECRET_FIELDS.includes(name)));
}

/** Saves the owner in a form; returns what is wrong with each field, and otherwise nothing. */
export async function saveOwnerForm(
  services: ActionServices,
  form: URLSearchParams,
  name: string,
  by: Acting,
): Promise<OwnerFields> {
  const text = (field: string) => form.get(field)?.trim() ?? "";
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
  const change = { name, to: newName, channels, quiet, scheduleIds: text("give") };
  const problem = await formProblem(() => saveOwner(services, change, by));
  return problem ? fieldIssues(problem, { name: "owner", scheduleIds: "give" }) : {};
}
