import { assertEquals, assertRejects } from "@std/assert";
import { alertmanagerOutlet } from "../../../../server/observer/outlets/alertmanager.ts";
import { OutletError } from "../../../../server/observer/outlets/outlet.ts";
import { event, OPENED } from "../events.ts";
import { withReceiver } from "../receiver.ts";

const NOW = Date.parse("2026-03-10T07:00:00Z");
const RESOLVED = "2026-03-10T06:30:00.000Z";

Deno.test("alertmanagerOutlet: an alert is repeated while its incident is open, and ends with it", () =>
  withReceiver(() => new Response(), async (origin, received) => {
    const outlet = alertmanagerOutlet(`${origin}/`);
    const ended = event("incident.resolved", { resolved: RESOLVED });
    const passed = event("incident.passed", { code: "missed", severity: "warning" });
    await outlet.send([{ id: "msg_1", event: event() }], NOW);
    // Of several changes at once, only the last one counts.
    await outlet.send([{ id: "msg_1", event: event() }, { id: "msg_2", event: ended }], NOW);
    await outlet.send([{ id: "msg_3", event: passed }], NOW);
    assertEquals(new Set(received.map(({ path }) => path)), new Set(["/api/v2/alerts"]));
    const [[open], [closed, ...more], [gap]] = received.map(({ body }) => JSON.parse(body));
    const labels = { alertname: "DocketIncident", schedule_id: "101", code: "failing" };
    assertEquals(open, {
      labels: { ...labels, severity: "critical" },
      annotations: {
        summary: "Schedule 101 (Sales <b>): failing for 2 runs, since Tue 10 Mar 06:00 UTC",
        incident: "101-failing-1",
        schedule: "Sales <b>",
      },
      startsAt: OPENED,
      endsAt: "2026-03-11T07:00:00.000Z",
      generatorURL: "https://docket.example.com/incidents/101-failing-1",
    });
    assertEquals([closed.endsAt, closed.labels, more.length], [RESOLVED, open.labels, 0]);
    // It ends the alert for what was overdue.
    assertEquals(gap.labels, { ...open.labels, code: "overdue" });
    assertEquals(gap.endsAt, OPENED);
    // Of the same labels, the last incident is repeated.
    const later = event("incident.opened", { id: "101-failing-2" });
    const backwards = { code: "overdue", resolved: "2026-03-10T05:00:00.000Z" };
    await outlet.repeat!([ended, later, event("incident.resolved", backwards)], NOW);
    const [first, second, ...others] = JSON.parse(received.at(-1)!.body);
    assertEquals([first.annotations.incident, others], ["101-failing-2", []]);
    assertEquals([second.startsAt, second.endsAt], [OPENED, OPENED]);
  }));

Deno.test("alertmanagerOutlet: the user and password of the URL are sent, and are in no error", () =>
  withReceiver(() => new Response("x", { status: 401 }), async (origin, received) => {
    for (const user of ["caf%C3%A9:s%3Acret@", "caf%C3%A9@", ""]) {
      const { send } = alertmanagerOutlet(origin.replace("//", `//${user}`));
      const sending = async () => await send([{ id: "msg_1", event: event() }], NOW);
      const error = await assertRejects(sending, OutletError);
      assertEquals(error.message, "The receiver answered with status 401");
    }
    const sent = received.map(({ headers }) => {
      const basic = headers.get("authorization")?.replace("Basic ", "");
      return basic && new TextDecoder().decode(Uint8Array.fromBase64(basic));
    });
    assertEquals(sent, ["café:s:cret", "café:", undefined]);
  }));
