/** Says which outlets this process has. */
import { MINUTE } from "../../lib/time_units.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { Outlet } from "./outlets/outlet.ts";

const EVERY_MS = MINUTE;

export function createOutletRegistry(
  { records, outlets, takesCritical = false, now }: {
    readonly records: Pick<ObserverRecords, "outlets" | "service">;
    readonly outlets: readonly Outlet[];
    readonly takesCritical?: boolean | undefined;
    readonly now: () => number;
  },
): { refresh(): Promise<void> } {
  let refreshed = -Infinity;
  return {
    async refresh() {
      const at = now();
      if (Math.abs(at - refreshed) < EVERY_MS) return;
      for (const { name, receiver = "" } of outlets) {
        await records.outlets.register({ name, receiver, takesCritical, seen: at });
      }
      await records.service.store({ outletsChecked: at });
      refreshed = at;
    },
  };
}
