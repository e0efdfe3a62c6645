/** Records who left. */
import type { Settings } from "../config/settings.ts";
import { domainsNow } from "../schedules/recipient_facts.ts";
import { type CsvStream, readPeopleFile } from "../schedules/schedule_file.ts";
import type { Acting } from "../store/records/events.ts";
import type { Leaver } from "../store/people/leavers.ts";
import type { ActionServices } from "./action_services.ts";
import { readCsv } from "./csv_file.ts";

interface Services extends Pick<ActionServices, "records"> {
  readonly settings: Pick<Settings, "homeDomains">;
}

/**
 * Adds people who left, or with `isStaff` those at home who are not in a list of staff. Schedules that
 * they receive are judged again at once.
 *
 * @returns How many people of the list there were, and how many who left still receive reports
 * @throws {ProblemError} That names each wrong line of a file
 */
export async function saveLeavers(
  { records, settings }: Services,
  { people, isStaff }: {
    readonly people: CsvStream | readonly Leaver[];
    readonly isStaff: boolean;
  },
  acting: Acting,
): Promise<{ readonly listed: number; readonly receiving: number }> {
  const { now } = acting;
  const listed = people instanceof ReadableStream
    ? (await readCsv(() => readPeopleFile(people, now))).people
    : people;
  const home = isStaff ? (await domainsNow(records, settings, now)).home : [];
  const staff = {
    userIds: new Set(listed.flatMap(({ userId }) => userId ?? [])),
    addresses: new Set(listed.flatMap(({ address }) => address ?? [])),
  };
  // Nobody who is forgotten meanwhile comes back by a list of staff.
  const receiving = await records.alone("runs", async ({ leavers }) => {
    const left = isStaff ? await leavers.missingFrom(staff, home, now) : listed;
    await leavers.add(left, acting);
    return await leavers.countReceiving(now);
  });
  return { listed: listed.length, receiving };
}

/** Takes one person off the list of who left, or everybody. */
export async function clearLeavers(
  { records }: Services,
  acting: Acting,
  personId?: number,
): Promise<void> {
  await records.leavers.clear(acting, personId);
}
