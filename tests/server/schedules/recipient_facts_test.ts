import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { recipientFacts } from "../../../server/schedules/recipient_facts.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { storeOn } from "../../../server/store/store.ts";
import { NOW } from "../store/records/incident.ts";
import { runOn } from "../store/rows.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

Deno.test("recipientFacts: knows the first run and who received those before the judged ones", () =>
  withSqlite(async (database) => {
    const records = observerRecordsOn(database);
    const days = [20_001, 20_002, 20_003];
    const runs = days.map((day, at) => runOn(at + 1, day, [{ userId: at + 1 }]));
    await storeOn(database).put({ runs: runs.map((run) => ({ scheduleId: 7, run })) });
    const starts = days.map((day) => day * DAY);
    const known = async (...starts: (number | null)[]) => {
      const judged = { scheduleId: 7, starts, now: NOW };
      const { before } = await recipientFacts(records, { homeDomains: [] }, judged);
      return before && [before.firstStart, ...before.recipients.map((one) => one.recipient.userId)];
    };
    assertEquals(await known(starts[2], null, 0, starts[1]), [starts[0], 1]);
    assertEquals([await known(starts[0]), await known(null)], [undefined, undefined]);
  }));
