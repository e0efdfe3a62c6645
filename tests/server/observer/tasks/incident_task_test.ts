import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Outlet } from "../../../../server/observer/outlets/outlet.ts";
import { createOutletRegistry } from "../../../../server/observer/queue_unsent.ts";
import { incident } from "../../../../server/observer/tasks/incident_task.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../../server/store/records/observer_records.ts";
import { openDatabase } from "../../../../server/store/open.ts";
import { OPENED, plantIncident } from "../../../planted_incident.ts";
import { type TaskRunner, withTasks } from "../../store/tasks/task_context.ts";
import { ADA } from "../../../actors.ts";
import { actorText } from "../../../../lib/judgement/actor.ts";

const ID = `101-overdue-${OPENED}`;
/** The task has no outlet: another process has. */
const SETTINGS = { HOST: "192.0.2.7" };
const ORIGIN = "http://192.0.2.7:8000";
const MAIL: Outlet = {
  name: "mail",
  groupOf: () => crypto.randomUUID(),
  collectMs: 0,
  send: () => Promise.resolve(),
};

/** Tasks beside an incident that is open, and a process that has an outlet. */
function withIncident(
  work: (runner: TaskRunner & { inRecords: InRecords }) => Promise<void>,
): Promise<void> {
  return withTasks(async (runner) => {
    const inRecords: InRecords = async (ask) => {
      const database = await openDatabase({ dataDir: runner.dataDir, databaseUrl: null });
      try {
        return await ask(observerRecordsOn(database));
      } finally {
        await database.close();
      }
    };
    await inRecords((records) =>
      // deno-lint-ignore no-explicit-any
      plantIncident({ services: { records } as any }, { name: "Sales", notified: OPENED })
    );
    await inRecords((records) => {
      const about = { records, outlets: [MAIL], origin: ORIGIN, now: Date.now };
      return createOutletRegistry(about).refresh();
    });
    await work({ ...runner, inRecords });
  }, SETTINGS);
}

type InRecords = <T>(ask: (records: ObserverRecords) => Promise<T>) => Promise<T>;

Deno.test("incident: lists what is open, and acknowledges, notes, mutes and resolves it", () =>
  withIncident(async ({ run, inRecords }) => {
    assertEquals((await run(incident, "list")).printed.split("\n"), [
      "ID                         SEVERITY  OPENED             STATE  WHAT",
      `${ID}  critical  2026-03-10T06:00Z  open   ` +
      "Schedule 101 (Sales): 2 runs overdue, the first was due on 10 Mar, 06:00 UTC",
    ]);
    const by = ["--by", "Ada", "--note", "Looking"];
    assertEquals((await run(incident, "acknowledge", ID, ...by)).printed, `Acknowledged ${ID}`);
    assertStringIncludes(
      (await run(incident, "list")).printed,
      "acknowledged by Ada (command line)  Schedule",
    );
    const [line] = JSON.parse((await run(incident, "list", "--json")).printed);
    assertEquals(line, {
      id: ID,
      scheduleId: 101,
      code: "overdue",
      severity: "critical",
      since: "2026-03-10T06:00:00.000Z",
      opened: "2026-03-10T06:00:00.000Z",
      acknowledgedBy: { ...ADA, known: "command line" },
      mutedUntil: null,
      resolved: null,
    });
    await run(incident, "mute", ID, "--until", "2h", "--by", "Bob");
    assertStringIncludes(
      (await run(incident, "list")).printed,
      "acknowledged by Ada (command line), muted",
    );
    for (const kind of ["unmute", "unacknowledge", "resolve"]) {
      assertEquals((await run(incident, kind, ID)).code, 0, kind);
    }
    const [timeline, deliveries] = await inRecords(async ({ events, messages }) => [
      await events.timeline(ID),
      await messages.list({ limit: 9 }),
    ]);
    assertEquals(
      timeline.slice(1).map(({ kind, actor, note }) => [kind, actor && actorText(actor), note]),
      [
        ["acknowledged", "Ada (command line)", "Looking"],
        ["muted", "Bob (command line)", null],
        ["unmuted", "somebody (command line)", null],
        ["unacknowledged", "somebody (command line)", null],
        ["resolved", "somebody (command line)", null],
      ],
    );
    for (const { event } of deliveries.items) {
      assertEquals(JSON.parse(event).data.url, `${ORIGIN}/incidents/${ID}`);
    }
    assertEquals(deliveries.items.map(({ event }) => JSON.parse(event).type).sort(), [
      "incident.acknowledged",
      "incident.opened",
      "incident.resolved",
    ]);
    assertEquals((await run(incident, "list")).printed, "No open incidents.");
    assertEquals((await run(incident, "reopen", ID, "--json")).code, 0);
  }));

Deno.test("incident: says what is wrong, and does nothing then", () =>
  withIncident(async ({ run }) => {
    for (
      const [args, code, message] of [
        [[], 2, "Use list, acknowledge, unacknowledge, resolve, reopen, mute, unmute or note"],
        [["list", ID], 2, "list takes no id"],
        [["list", "--by", "Ada"], 2, "list takes no --by"],
        [["constructor", ID], 2, "Use list"],
        [["acknowledge"], 2, "The id of an incident is missing"],
        [["acknowledge", ID, "--until", "2h"], 2, "acknowledge takes no --until"],
        [["mute", ID], 2, "--until is required"],
        [["mute", ID, "--until", "off"], 2, "To unmute an incident, use unmute"],
        [["note", ID], 2, "note needs --note TEXT"],
        [["note", ID, "--note", "x".repeat(1001)], 2, "at most 1000 characters"],
        [["resolve", "none"], 1, "There is no incident none"],
        [["unacknowledge", ID], 1, `The state of ${ID} does not allow this`],
      ] as const
    ) {
      const { code: given, reported, printed } = await run(incident, ...args);
      assertEquals([given, printed], [code, ""], args.join(" "));
      assertStringIncludes(reported, message);
    }
  }));
