/** Watches the sample's schedules and polls them, to show what the observer finds. */
import type { Services } from "../../server/program/services.ts";
import { observerFor } from "../../server/observer/service_observer.ts";
import { STORIES } from "../../server/store/sample/sample_runs.ts";

/** Who answers for a schedule of the sample. */
const OWNERS = ["Finance", "Claims", "Logistics", "Sales"];

/** Watches every schedule of the sample and polls each once. */
export async function watchSample(services: Services): Promise<void> {
  const now = Date.now();
  const { watches } = services.records!;
  for (const [at, { scheduleId, title }] of STORIES.entries()) {
    await watches.add([scheduleId], now, { name: title, owner: OWNERS[at % OWNERS.length] });
    // One by one, so that the incidents have an order.
    await pollAll(services);
  }
}

/** Polls every watched schedule that is due. */
export async function pollAll(services: Services): Promise<void> {
  const { observer } = observerFor({
    settings: services.settings,
    service: services,
    sealing: services.recordsSealing!,
    judging: services.judging,
    log: services.log,
    now: Date.now,
    origin: "http://localhost:8000",
  });
  await observer.pollDue();
}
