/** What rooms run on SQLite, run on PostgreSQL. */
import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { dropHeld } from "../../../server/store/records/messages.ts";
import { fillWithSample } from "../../../server/store/sample/fill.ts";
import { expectRecipients } from "../../../server/store/sample/sample_records.ts";
import { storeOn } from "../../../server/store/store.ts";
import { runWell, START, withWorld } from "../observer/world.ts";
import { SYSTEMS } from "./on_both.ts";

Deno.test("statements: PostgreSQL takes what an observer, people's pages and searches run", () =>
  SYSTEMS.PostgreSQL(async (database) => {
    await withWorld([1, 2], async (world) => {
      runWell(world, 1, START - 20 * HOUR, 20);
      await world.until(START + 6 * MINUTE);
      // A round an hour is enough: each one waits for PostgreSQL.
      world.sleepUntil(START + 2 * HOUR);
      await world.until(START + 2 * HOUR + MINUTE);
      assertEquals(world.notified(), ["opened overdue 2", "opened overdue 1"]);
    }, { database });
    const records = observerRecordsOn(database);
    await fillWithSample(storeOn(database), { fileSets: 50, runs: 20 });
    await expectRecipients(records, Date.now());
    await records.overview.byId("known", { limit: 1 });
    await records.commit([dropHeld("mail", "an incident", START)]);
  }));
