/**
 * Secrets are planted in the observer's settings, in what it watches, and searched for
 * in every byte that it sends, serves, logs or keeps for delivery.
 */
import { name, sql } from "../../server/store/database/sql.ts";
import { assert, assertEquals } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { DAY, HOUR, MINUTE } from "../../lib/time_units.ts";
import { readSettings } from "../../server/config/settings.ts";
import { createSealing } from "../../server/auth/sealing.ts";
import { createLog } from "../../server/log/log.ts";
import { actOnIncident } from "../../server/actions/act_on_incident.ts";
import { wholeText } from "../whole_text.ts";
import { createJudging } from "../../server/observer/judging/judging.ts";
import { writeMetrics } from "../../server/observer/metrics.ts";
import { observerFor } from "../../server/observer/service_observer.ts";
import { withMailServer } from "../server/observer/mail_server.ts";
import { withReceiver } from "../server/observer/receiver.ts";
import { withWorld } from "../server/observer/world.ts";
import { createWatch } from "./planted.ts";
import { ADA } from "../actors.ts";

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
  const watch = createWatch();
  const { saw } = watch;
  const places = new Set<string>();
  const made = () => crypto.getRandomValues(new Uint8Array(24)).toHex();
  const secrets = {
    token: made(),
    webhook: btoa(made()),
    smtp: made(),
    alertmanager: made(),
    metrics: made(),
    heartbeat: made(),
    hook: made(),
    records: made(),
    inside: `x${made().slice(0, 20)}@example.com`,
    outside: `y${made().slice(0, 20)}@elsewhere.example`,
  };
  for (const [name, value] of Object.entries(secrets)) watch.plant(name, value);
  let now = Date.parse("2026-03-10T07:00:00Z");
  let isBad = true;
  let refuses = false;
  const addresses = [secrets.inside, secrets.outside];
  const judging = createJudging({ max: 1 });
  try {
    await withWorld(
      [],
      ({ database, records }) =>
        withMailServer((smtpUrl, mails) =>
          withReceiver(({ path }) => {
            if (path.startsWith("/service/")) {
              const url = new URL(path, "http://service");
              const skip = Number(url.searchParams.get("skip") ?? 0);
              const headers = { date: new Date(now).toUTCString() };
              return Response.json(history(now, addresses, isBad).slice(skip), { headers });
            }
            // A receiver that repeats what it was sent.
            return new Response(secrets.hook, { status: refuses ? 500 : 200 });
          }, async (origin, received) => {
            const settings = readSettings({
              SERVICE_BASE_URL: `${origin}/service`,
              DATABASE_URL: "postgres://localhost/unused",
              OBSERVER_TOKEN: secrets.token,
              WEBHOOK_URL: `${origin}/hook/${secrets.hook}`,
              WEBHOOK_SECRET: `whsec_${secrets.webhook}`,
              ALERTMANAGER_URL: origin.replace("//", `//docket:${secrets.alertmanager}@`),
              HEARTBEAT_URL: `${origin}/beat/${secrets.heartbeat}`,
              SMTP_URL: smtpUrl.replace("//", `//docket:${secrets.smtp}@`),
              MAIL_FROM: "docket@example.com",
              MAIL_TO: "ops@example.com",
              METRICS_TOKEN: secrets.metrics,
              PUBLIC_ORIGIN: "https://docket.example.com",
            });
            const log = createLog({
              level: "debug",
              format: "json",
              write: (line: string) => saw("the log", line),
            });
            const { observer } = observerFor({
              settings,
              service: { identity: `${origin}/service`, store: null, records },
              sealing: createSealing([secrets.records]),
              judging,
              log,
              now: () => now,
              origin: "https://docket.example.com",
            });
            // An address that stands in a schedule's name is masked wherever it goes.
            await records.watches.add([1], now, { name: `Sales for ${secrets.outside}` });
            const turn = async () => {
              await observer.pollDue();
              await observer.sendDue();
              await observer.doDuties();
              now += 20 * 60_000;
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
            for (const { path, headers, body } of received) {
              if (path.startsWith("/service/")) continue;
              const belongs = path.startsWith("/hook/") ? ["hook"] : ["heartbeat"];
              const isOwn = path.startsWith("/hook/") || path.startsWith("/beat/");
              const name = path.split("/")[1];
              places.add(name);
              saw(`the path of ${name}`, path, isOwn ? belongs : []);
              const sent = name === "api" ? ["alertmanager"] : [];
              saw(`a request to ${name}`, JSON.stringify([...headers]) + body, sent);
            }
            for (const { source } of mails) {
              places.add("mail");
              saw("a mail", source);
              // Quoted-printable breaks lines within words.
              saw("a mail", source.replaceAll("=\r\n", ""));
            }
            saw("/metrics", await wholeText(await writeMetrics(records)));
            for (const table of ["messages", "incidents", "events", "verdicts"]) {
              const rows = await database.read(sql`SELECT * FROM ${name(table)}`);
              saw(`the table ${table}`, JSON.stringify(rows));
              assert(rows.length > 0, `${table} is empty`);
            }
          })
        ),
    );
  } finally {
    judging.close();
  }
  const { leaks, belonging } = watch.search();
  assertEquals(leaks, []);
  // What each outlet's own address holds is seen there, so the search does see.
  assertEquals(belonging, ["alertmanager", "heartbeat", "hook"]);
  assertEquals([...places].sort(), ["api", "beat", "hook", "mail"]);
});
