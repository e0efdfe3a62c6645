/**
 * Secrets are planted in the observer's settings, in what it watches, and searched for
 * in every byte that it sends, serves, logs or keeps for delivery.
 */
import { assert, assertEquals } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { DAY, HOUR, MINUTE } from "../../lib/time_units.ts";
import { actOnIncident } from "../../server/actions/act_on_incident.ts";
import { createSealing } from "../../server/auth/sealing.ts";
import { readSettings } from "../../server/config/settings.ts";
import { createLog } from "../../server/log/log.ts";
import { createJudging } from "../../server/observer/judging/judging.ts";
import { writeMetrics } from "../../server/observer/metrics.ts";
import { observerFor } from "../../server/observer/service_observer.ts";
import { name, sql } from "../../server/store/database/sql.ts";
import { ADA } from "../actors.ts";
import { withMailServer } from "../server/observer/mail_server.ts";
import { type Received, withReceiver } from "../server/observer/receiver.ts";
import { withWorld, type World } from "../server/observer/world.ts";
import { wholeText } from "../whole_text.ts";
import { plantSecrets } from "./planted.ts";

/** A history of runs that opens many incidents and has the planted addresses. */
function history(now: number, addresses: readonly string[], isBad: boolean) {
  return makeRuns(30).map((run, age) => {
    const [start, end] = [HOUR, HOUR - MINUTE].map((ago) => now - age * DAY - ago);
    const received = addresses.slice(0, age < 2 ? 2 : 1);
    return {
      ...run,
      startTime: new Date(start).toISOString(),
      endTime: new Date(end).toISOString(),
      status: isBad && age === 0 ? "failure" : "success",
      ownerEmail: addresses[0],
      recipientCount: received.length,
      recipients: received.map((emailAddress) => ({ displayName: emailAddress, emailAddress })),
    };
  });
}

Deno.test("observerFor: no outlet, metric, log line or record has a secret", async () => {
  const { watch, token, addresses } = plantSecrets();
  const { plant, saw } = watch;
  const places = new Set<string>();
  const judging = createJudging({ max: 1 });
  const origin = "https://docket.example.com";
  const hook = plant("hook");
  const WEBHOOK_SECRET = `whsec_${plant("webhook", btoa(plant("webhook")))}`;
  let now = Date.parse("2026-03-10T07:00:00Z");
  let isBad = true;
  let refuses = false;

  function answer({ path, headers, body }: Received): Response {
    const [, place] = path.split("/");
    if (place === "service") {
      const skip = Number(/skip=(\d+)/.exec(path)?.[1] ?? 0);
      const date = new Date(now).toUTCString();
      return Response.json(history(now, addresses, isBad).slice(skip), { headers: { date } });
    }
    places.add(place);
    saw(`the path of ${place}`, path, { hook: ["hook"], beat: ["heartbeat"] }[place]);
    const sent = JSON.stringify([...headers]) + body;
    saw(`a request to ${place}`, sent, place === "api" ? ["alertmanager"] : []);
    // A receiver that repeats what it was sent.
    return new Response(hook, { status: refuses ? 500 : 200 });
  }

  /** Watches a schedule from its failure until it is well again. */
  async function observe({ records }: World, receiver: string, smtpUrl: string): Promise<void> {
    const { observer } = observerFor({
      settings: readSettings({
        SERVICE_BASE_URL: `${receiver}/service`,
        DATABASE_URL: "postgres://localhost/unused",
        OBSERVER_TOKEN: token,
        WEBHOOK_URL: `${receiver}/hook/${hook}`,
        WEBHOOK_SECRET,
        ALERTMANAGER_URL: receiver.replace("//", `//docket:${plant("alertmanager")}@`),
        HEARTBEAT_URL: `${receiver}/beat/${plant("heartbeat")}`,
        SMTP_URL: smtpUrl.replace("//", `//docket:${plant("smtp")}@`),
        MAIL_FROM: "docket@example.com",
        MAIL_TO: "ops@example.com",
        METRICS_TOKEN: plant("metrics"),
        PUBLIC_ORIGIN: origin,
      }),
      service: { identity: `${receiver}/service`, store: null, records },
      sealing: createSealing([plant("records")]),
      judging,
      log: createLog({ level: "debug", format: "json", write: (line) => saw("the log", line) }),
      now: () => now,
      origin,
    });
    // An address that stands in a schedule's name is masked wherever it goes.
    await records.watches.add([1], now, { name: `Sales for ${addresses[1]}` });
    const turn = async () => {
      await observer.pollDue();
      await observer.sendDue();
      await observer.doDuties();
      now += 20 * MINUTE;
    };
    await turn();
    refuses = true;
    const [{ id }] = await records.incidents.allOpen();
    const action = { incidentId: id, kind: "acknowledged", note: "On it" } as const;
    await actOnIncident({ records, origin }, action, { actor: ADA, now });
    await turn();
    refuses = false;
    isBad = false;
    for (let each = 0; each < 4; each++) await turn();
  }

  await withWorld(
    [],
    (world) =>
      withMailServer((smtpUrl, mails) =>
        withReceiver(answer, async (receiver) => {
          await observe(world, receiver, smtpUrl);
          for (const { source } of mails) {
            places.add("mail");
            // Quoted-printable breaks lines within words.
            saw("a mail", source + source.replaceAll("=\r\n", ""));
          }
          saw("/metrics", await wholeText(await writeMetrics(world.records)));
          for (const table of ["messages", "incidents", "events", "verdicts"]) {
            const rows = await world.database.read(sql`SELECT * FROM ${name(table)}`);
            saw(`the table ${table}`, JSON.stringify(rows));
            assert(rows.length > 0, `${table} is empty`);
          }
        })
      ),
  ).finally(judging.close);
  // What each outlet's own address holds is seen there, so the search does see.
  assertEquals(watch.search(), { leaks: [], belonging: ["alertmanager", "heartbeat", "hook"] });
  assertEquals([...places].sort(), ["api", "beat", "hook", "mail"]);
});
