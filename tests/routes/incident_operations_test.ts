/** Incidents by the API of records, and by the command line that uses it. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type App, ORIGIN, TOKEN, withApp } from "../app.ts";
import { world } from "../cli/world.ts";
import { OPENED, plantIncident } from "../planted_incident.ts";
import { callRecords } from "./record_calls.ts";

const ID = `101-overdue-${OPENED}`;
const params = { incidentId: ID };

function withIncident(test: (app: App) => Promise<void>): Promise<void> {
  return withApp({}, async (app) => {
    await plantIncident(app, { name: "Sales" });
    await test(app);
  });
}

Deno.test("[e2e] incidents: lists open ones with what is wrong, and each with its events", () =>
  withIncident(async (app) => {
    const { answer } = await callRecords(app, "listIncidents");
    assertEquals([answer.total, answer.limit, answer.offset], [1, 100, 0]);
    const [{ sentence, url, ...listed }] = answer.items;
    assertMatch(sentence, /^Schedule 101 \(Sales\): 2 runs due since /);
    assertEquals(url, `${ORIGIN}/incidents/${ID}`);
    assertEquals([listed.id, listed.scheduleId, listed.state], [ID, 101, "open"]);
    const one = await callRecords(app, "getIncident", { params });
    assertEquals(one.answer.events.map(({ kind }: { kind: string }) => kind), ["opened"]);
    const none = await callRecords(app, "getIncident", { params: { incidentId: "none" } });
    assertEquals(none.status, 404);
  }));

Deno.test("[e2e] incidents: each action is an event with its actor, and can't be done twice", () =>
  withIncident(async (app) => {
    const token = (await app.services.tokens!.add("Ada", "operator", new Date()))!;
    const act = (body: object) => callRecords(app, "addIncidentEvent", { params, body, token });
    const until = "2100-01-31T06:00:00+01:00";
    for (
      const [body, state] of [
        [{ kind: "acknowledged", note: "Looking" }, "acknowledged"],
        [{ kind: "muted", until }, "muted"],
        [{ kind: "unmuted" }, "acknowledged"],
        [{ kind: "unacknowledged" }, "open"],
        [{ kind: "noted", note: "Disk is full" }, "open"],
        [{ kind: "resolved" }, "resolved"],
      ] as const
    ) {
      const { answer } = await act(body);
      assertEquals(answer.state, state, body.kind);
      const { kind, by } = answer.events.at(-1);
      assertEquals([kind, by], [body.kind, "Ada"]);
    }
    assertEquals((await act({ kind: "resolved" })).status, 409);
    assertEquals((await callRecords(app, "listIncidents")).answer.total, 0);
    const all = await callRecords(app, "listIncidents", { query: { state: "all", limit: 1 } });
    assertEquals([all.answer.total, all.answer.items[0].state], [1, "resolved"]);
    assertEquals((await act({ kind: "reopened" })).answer.state, "open");
  }));

Deno.test("[e2e] incidents: every fault of an action is named at once", () =>
  withIncident(async (app) => {
    const faults = async (body: unknown) => {
      const { status, answer } = await callRecords(app, "addIncidentEvent", { params, body });
      assertEquals(status, 400);
      return answer.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    const note = "x".repeat(1001);
    assertEquals(await faults({ kind: "deleted", note, until: "tomorrow", why: 1 }), [
      ...["/why", "/kind", "/note", "/until"],
    ]);
    assertEquals(await faults({ kind: "muted" }), ["/until"]);
    assertEquals(await faults({ kind: "noted", until: "2100-01-31T06:00:00Z" }), [
      ...["/note", "/until"],
    ]);
    const query = { state: "shut", limit: 0, offset: -1 };
    const list = await callRecords(app, "listIncidents", { query });
    assertEquals(list.answer.errors.length, 3);
  }));

Deno.test("[e2e] docket incident: lists, acknowledges, mutes and resolves, with exit codes", () =>
  withIncident(async (app) => {
    const { docket } = world({}, {
      env: { DOCKET_URL: ORIGIN, DOCKET_TOKEN: TOKEN },
      fetch: (url, init) => app.fetch(new Request(url, init)),
    });
    const listed = await docket("incident", "list");
    assertEquals(listed.code, 1, listed.err);
    assertStringIncludes(listed.out, ID);
    for (const line of listed.out.split("\n")) assertEquals(line.length <= 80, true, line);
    const done = await docket("incident", "acknowledge", ID, "--note", "Looking");
    assertEquals([done.code, done.err], [0, ""]);
    assertMatch(done.out, /^acknowledged: Schedule 101 \(Sales\)/);
    const twice = await docket("incident", "acknowledge", ID);
    assertEquals(twice.code, 1);
    assertStringIncludes(twice.err, "somebody else has changed the incident");
    assertEquals((await docket("incident", "mute", ID, "--until", "2h")).code, 0);
    const muted = JSON.parse((await docket("incident", "list", "--json")).out);
    assertEquals(muted.map(({ state }: { state: string }) => state), ["muted"]);
    assertEquals((await docket("incident", "mute", ID)).code, 2);
    assertEquals((await docket("incident", "mute", ID, "--until", "2020-01-01T00:00:00Z")).code, 2);
    assertEquals((await docket("incident", "resolve")).code, 2);
    assertEquals((await docket("incident", "resolve", "none")).code, 1);
    assertEquals((await docket("incident", "resolve", ID)).code, 0);
    const none = await docket("incident", "list");
    assertEquals([none.code, none.out, none.err], [0, "", "No open incidents\n"]);
    assertStringIncludes((await docket("incident", "list", "--all")).out, "resolved");
  }));
