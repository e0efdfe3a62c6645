/** Saves and renames owners, and assigns them to schedules. */
import { InvalidSetting, isZone } from "../config/setting_values.ts";
import { invalidRequest, throwIfInvalid, type ValidationIssue } from "../http/problem.ts";
import { textIssue } from "../http/shape.ts";
import { type ChannelSettings, readChannel } from "../observer/outlets/read_channel.ts";
import { idRanges } from "../schedules/coverage.ts";
import { readScheduleIds } from "../schedules/schedule_id_list.ts";
import type { Acting } from "../store/records/events.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  type QuietHours,
  type SealedChannel,
} from "../store/records/owners.ts";
import { MAX_CHARACTERS, nameKey } from "../store/text.ts";
import type { ActionServices } from "./action_services.ts";

export interface OwnerServices extends Pick<ActionServices, "records" | "sealing"> {
  readonly settings: { readonly observer: ChannelSettings };
}

interface OwnerChange {
  readonly name: string;
  /** Its new name, if it is renamed. */
  readonly to?: string | undefined;
  /** The entered texts of channels; null removes a channel, and undefined changes nothing. */
  readonly channels: Readonly<Partial<Record<ChannelKind, string | null>>>;
  /** Null for none; undefined changes nothing. */
  readonly quiet?: QuietHours | null | undefined;
  /** Schedules to assign to it. */
  readonly scheduleIds?: string | readonly number[] | undefined;
}

/**
 * Adds or changes an owner, and returns its name. If anything is wrong, nothing is saved.
 *
 * @throws {ProblemError} With the pointers `/name`, `/quiet`, `/scheduleIds`, and one for each kind of
 * channel, such as `/slack`
 */
export async function saveOwner(
  { records, sealing, settings }: OwnerServices,
  { name, to = name, channels, quiet, scheduleIds = [] }: OwnerChange,
  { actor, now }: Acting,
): Promise<string> {
  const issues: ValidationIssue[] = [];
  const report = (field: string, detail: string | undefined) => {
    if (detail !== undefined) issues.push({ pointer: `/${field}`, detail });
  };
  const isTaken = to !== name && nameKey(to) !== nameKey(name) && await records.owners.get(to);
  report("name", nameIssue(to) ?? (isTaken ? TAKEN : undefined));
  const { ids, issue } = await readKnownIds(records.watches, scheduleIds);
  report("scheduleIds", issue);
  if (quiet && !isQuiet(quiet)) {
    const rule = "must be two different times such as 20:00 and 07:00, and a zone such as UTC";
    report("quiet", rule);
  }
  const sealed: Partial<Record<ChannelKind, SealedChannel | null>> = {};
  for (const kind of CHANNEL_KINDS) {
    const text = channels[kind];
    if (text === undefined) continue;
    if (text === null) {
      sealed[kind] = null;
      continue;
    }
    try {
      const { secret, hint } = readChannel(kind, text, settings.observer);
      sealed[kind] = {
        id: `${kind}-${crypto.getRandomValues(new Uint8Array(6)).toHex()}`,
        ownerKey: nameKey(to),
        sealed: await sealing.seal(secret),
        kind,
        hint,
        created: now,
      };
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      report(kind, error.message);
    }
  }
  throwIfInvalid(issues);
  const saved = to.trim();
  await records.alone("owners", async ({ owners, watches }) => {
    const before = await owners.get(name);
    const owner = {
      quiet: quiet === undefined ? before?.quiet ?? null : quiet,
      changed: now,
      actor,
    };
    if (to !== name) {
      if (!before) await owners.save({ ...owner, name }, {});
      // Somebody may have taken the name meanwhile.
      if (!await owners.rename(name, saved, { actor, now })) {
        throw invalidRequest([{ pointer: "/name", detail: TAKEN }]);
      }
    }
    await owners.save({ ...owner, name: saved }, sealed);
    await watches.assign(ids, saved, { actor, now });
  });
  return saved;
}

/** Removes an owner. Its schedules keep the name; open incidents go to the default outlets. */
export async function removeOwner(
  { records }: Pick<ActionServices, "records">,
  name: string,
  acting: Acting,
): Promise<void> {
  await records.alone("owners", ({ owners }) => owners.remove(name, acting));
}

const TAKEN = "must be a name that no other owner has";

/** The ids of a typed list, and what is wrong with it, such as a schedule that Docket does not know. */
export async function readKnownIds(
  watches: ObserverRecords["watches"],
  list: string | readonly number[],
): Promise<{ readonly ids: readonly number[]; readonly issue: string | undefined }> {
  const { ids, issue } = readScheduleIds(list);
  const known = await watches.known(ids);
  const unknown = ids.filter((id) => !known.has(id));
  const rule = `must be known schedules, not ${idRanges(unknown)}`;
  return { ids, issue: issue ?? (unknown.length > 0 ? rule : undefined) };
}

/** What is wrong with a name of an owner or a calendar, if anything. */
export function nameIssue(name: string): string | undefined {
  const { length } = name.trim();
  return length > 0 && length <= MAX_CHARACTERS.name
    ? textIssue(name)
    : `must be a name of 1 to ${MAX_CHARACTERS.name} characters`;
}

function isQuiet({ from, to, zone }: QuietHours): boolean {
  const isClock = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
  return isClock(from) && isClock(to) && from !== to && isZone(zone);
}
