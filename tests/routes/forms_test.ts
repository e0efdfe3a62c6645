/** Forms: what one asks for is done once, if it comes twice, and none is longer than it needs. */
import { assert, assertEquals } from "@std/assert";
import { assertAnswer, head, withPerson } from "../app.ts";
import { noticeText } from "../../routes/(console)/_actions.ts";
import { routePaths } from "../route_paths.ts";
import { INCIDENT_ID, INCIDENT_PATH, plantIncident } from "../planted_incident.ts";

/** Forms that record who sent them, filled in, with what then stands in their fields. */
const SIGNED: Readonly<Record<string, readonly [Record<string, string>, ...string[]]>> = {
  [INCIDENT_PATH]: [
    { action: "mute", note: "disk is full", span: "4h" },
    ...['value="disk is full"', 'value="4h" selected'],
  ],
  "/schedules/102/plan": [
    { action: "confirm", cron: "30 5 * * *", zone: "UTC", grace: "45", pauses: "2027-05-01" },
    ...[">30 5 * * *</textarea>", 'value="45"', ">2027-05-01</textarea>"],
  ],
  "/owners": [{ action: "save", owner: "Finance" }, 'value="Finance"'],
  "/people/ROWAN": [{ expected: "true", on: "112", note: "Audits us" }, 'value="Audits us"'],
  "/service": [{ status: "failure", meaning: "pending" }, 'value="pending" selected'],
};

Deno.test("[e2e] forms: without a name nothing is done, and what was typed stays", () =>
  withPerson(
    async (
      {
        app,
        records: { watches, events, owners, statuses, people, recipientDecisions },
        get,
        post,
      },
    ) => {
      await plantIncident(app, { name: "Sales" });
      const rowan = (await people.find(9001))!;
      const stored = async () => [
        ...[await watches.list(), await events.timeline(INCIDENT_ID), await owners.list()],
        ...[await statuses.get(), await recipientDecisions.about([rowan], [], Date.now())],
      ];
      const before = await stored();
      for (const [path, [fields, ...shown]] of Object.entries(SIGNED)) {
        const page = path.replace("ROWAN", `${rowan}`);
        assertEquals((await get(page)).text.includes('class="change" open'), false, page);
        const refused = await post(page, { ...fields, name: " " });
        assertAnswer(refused, 400, "Enter your name: it is recorded with the action.", ...shown);
      }
      assertEquals(await stored(), before);
    },
  ));

Deno.test("noticeText: says what was done and what was left out, for its own codes alone", () => {
  const texts = {
    "saved-plan": "The plan is saved and confirmed.",
    "saved-calendar:0": "The calendar is saved. The schedules are judged again shortly.",
    "saved-schedules:x:<b>": "The schedules of the file are saved.",
    "unwatch:102": "Schedule 102 is no longer watched, and its open incidents are resolved.",
    "unwatch:x": "No longer watched. Open incidents are resolved.",
    "constructor": "",
  };
  for (const [code, text] of Object.entries(texts)) assertEquals(noticeText(code), text);
});

Deno.test("[e2e] forms: a double click adds one note, and both see the same page", () =>
  withPerson(async ({ app, records, ...person }) => {
    await plantIncident(app, { name: "Sales" });
    const { text } = await person.get(INCIDENT_PATH);
    const [, key] = /name="form_key" value="([^"]+)"/.exec(text)!;
    const send = async () => {
      const form = { action: "note", note: "Looking", name: "Ada", form_key: key };
      return (await person.post(INCIDENT_PATH, form)).to;
    };
    assertEquals(await Promise.all([send(), send()]), [INCIDENT_PATH, INCIDENT_PATH]);
    const timeline = await records.events.timeline(INCIDENT_ID);
    assertEquals(timeline.map(({ kind }) => kind), ["opened", "noted"]);
  }));

Deno.test("[e2e] forms: reject bodies that are larger than they need", () =>
  withPerson(async ({ fetch }) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (const path of routePaths().filter((path) => !path.startsWith("/api/"))) {
      // A calendar is the text of a file.
      const body = new Uint8Array(path === "/owners" ? 5_000_000 : 100_000);
      const url = path.replace("[scheduleId]", "101");
      const { status } = await head(fetch(url, { method: "POST", body, headers }));
      // A form with a file has another type.
      const isRejected = [405, 413, 415].includes(status);
      // Signing out reads nothing at all.
      assert(isRejected || path === "/sign-out", `${path}: ${status}`);
    }
  }));
