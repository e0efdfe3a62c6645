/** Imports the schedules of a file: adds new ones, and changes names, owners, plans and watching. */
import { planSummary } from "../schedules/saved_plan.ts";
import { takeTurn } from "../workers/take_turn.ts";
import type { FileSchedule } from "../inventory/schedule_file.ts";
import { type Acting, watchEvent } from "../store/observer/watch_events.ts";
import { endWatch } from "./end_watch.ts";
import type { IncidentServices } from "./message_steps.ts";

export async function takeOverSchedules(
  services: IncidentServices,
  schedules: readonly FileSchedule[],
  by: Acting,
): Promise<{ readonly added: number; readonly changed: number }> {
  const { watches } = services.records;
  let added = 0;
  for (const { scheduleId, settings, watched } of schedules) {
    await takeTurn();
    const action = { ...by, scheduleId };
    const { plan } = settings;
    const planned = plan
      ? [watchEvent("plan confirmed", action, { note: planSummary({ plan, pauses: [] }) })]
      : [];
    const before = await watches.getKnown(scheduleId);
    if (!before) added++;
    if (watched && !before?.watched) {
      const events = [watchEvent("watched", action), ...planned];
      await watches.add([scheduleId], by.now, settings, () => events, { source: "file" });
    } else if (!before) {
      const onlyRead = { source: "file", watched: 0 } as const;
      await watches.add([scheduleId], by.now, settings, () => planned, onlyRead);
    } else {
      const events = plan ? planned : [watchEvent("watch changed", action)];
      await watches.change(scheduleId, settings, by.now, events);
    }
    if (watched === false && before?.watched) await endWatch(services, action);
  }
  return { added, changed: schedules.length - added };
}
