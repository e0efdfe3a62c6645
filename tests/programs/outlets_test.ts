/** The whole chain with the programs of others: a report fails, and each of them says so until it ends. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY } from "../../lib/time_units.ts";
import type { ReportRun } from "../../lib/mod.ts";
import { createTestService } from "../../lib/testing/mod.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../free_port.ts";
import { isInstalled } from "../installed.ts";
import { withProgram } from "../program.ts";
import { withMailServer } from "../server/observer/mail_server.ts";
import { withReceiver } from "../server/observer/receiver.ts";
import { withFolder } from "../with_folder.ts";

const FOLDER = new URL("../../docs/monitoring/", import.meta.url);
const SECRET = `whsec_${btoa("s".repeat(32))}`;
const OBSERVER_TOKEN = "a-token-of-the-observer";
const METRICS_TOKEN = "metrics-token-of-a-test";
const SCHEDULE = 101;

const PROGRAMS = ["prometheus", "prometheus-alertmanager"];
const isThere = (await Promise.all(PROGRAMS.map(isInstalled))).every(Boolean);

/** A run each day, the newest yesterday, so that one is just due. */
function runsUntil(now: number, count: number): ReportRun[] {
  return Array.from({ length: count }, (_, at) => runAt(now - 60_000 - (at + 1) * DAY, 1000 - at));
}

function runAt(start: number, id: number, status = "success"): ReportRun {
  return {
    id,
    status,
    automated: true,
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + 20_000).toISOString(),
    cardCount: 4,
    attachmentCount: 1,
    attachmentSize: 200_000,
    emailSize: 30_000,
    recipientCount: 2,
    recipients: [],
  };
}

/** Runs one of Debian's programs for a test. */
async function withCommand(
  program: string,
  args: readonly string[],
  test: () => Promise<void>,
): Promise<void> {
  const process = new Deno.Command(program, { args: [...args], stdout: "null", stderr: "null" })
    .spawn();
  try {
    await test();
  } finally {
    process.kill("SIGKILL");
    await process.status;
  }
}

/** Prometheus and Alertmanager by the files of docs/monitoring, but quick, and on other ports. */
async function withMonitoring(
  { docket, receiver, alertmanagerPort }: {
    readonly docket: string;
    readonly receiver: string;
    readonly alertmanagerPort: number;
  },
  test: (prometheus: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const port = freePort();
    const copy = async (name: string, changes: readonly (readonly [string, string])[]) => {
      let text = await Deno.readTextFile(new URL(name, FOLDER));
      for (const [from, to] of changes) {
        assertStringIncludes(text, from);
        text = text.replace(from, to);
      }
      await Deno.writeTextFile(`${folder}/${name}`, text);
    };
    await copy("rules.yml", []);
    await Deno.writeTextFile(`${folder}/docket-metrics-token`, METRICS_TOKEN);
    await copy("prometheus.yml", [
      ["scrape_configs:", "global:\n  evaluation_interval: 1s\nscrape_configs:"],
      ["scrape_interval: 60s", "scrape_interval: 1s"],
      ["localhost:8000", new URL(docket).host],
      ["localhost:9093", `127.0.0.1:${alertmanagerPort}`],
    ]);
    await copy("alertmanager.yml", [
      ["group_wait: 30s", "group_wait: 0s"],
      ["group_interval: 1m", "group_interval: 1s"],
      ["http://localhost:9001/alerts", `${receiver}/alerts`],
    ]);
    await withCommand("prometheus-alertmanager", [
      `--config.file=${folder}/alertmanager.yml`,
      `--storage.path=${folder}/alertmanager`,
      `--web.listen-address=127.0.0.1:${alertmanagerPort}`,
      "--cluster.listen-address=",
    ], () =>
      withCommand("prometheus", [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/prometheus`,
        `--web.listen-address=127.0.0.1:${port}`,
      ], () => test(`http://127.0.0.1:${port}`)));
  });
}

/** An operator who is signed in, by the console's own forms. */
async function signedIn(origin: string) {
  const send = (path: string, form: Record<string, string>, cookie = "") =>
    fetch(origin + path, {
      method: "POST",
      redirect: "manual",
      headers: { origin, cookie },
      body: new URLSearchParams(form),
    });
  const answer = await send("/sign-in", { token: OBSERVER_TOKEN });
  const cookie = answer.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
  await answer.body?.cancel();
  return async (path: string, form: Record<string, string> = {}) => {
    const response = await send(path, form, cookie);
    await response.body?.cancel();
    assertEquals(response.status, 303, path);
  };
}

Deno.test({
  name: "[e2e] main: Prometheus, Alertmanager, mail and webhook report a failure and its end",
  ignore: !isThere,
  fn: () =>
    withMailServer((SMTP_URL, mails) => {
      let isDown = false;
      const answer = ({ path }: { path: string }) =>
        new Response(null, { status: path === "/hook" && isDown ? 503 : 200 });
      return withReceiver(answer, async (receiver, received) => {
        const runs = runsUntil(Date.now(), 30);
        const service = createTestService({ runs: { [SCHEDULE]: runs } });
        await using upstream = Deno.serve(
          { port: 0, hostname: "127.0.0.1", onListen() {} },
          (request) => service.fetch(request),
        );
        const alertmanagerPort = freePort();
        const env = {
          SERVICE_BASE_URL: `http://127.0.0.1:${upstream.addr.port}`,
          OBSERVER_TOKEN,
          OBSERVE_EVERY: "1s",
          METRICS_TOKEN,
          WEBHOOK_URL: `${receiver}/hook`,
          WEBHOOK_SECRET: SECRET,
          ALERTMANAGER_URL: `http://127.0.0.1:${alertmanagerPort}`,
          SMTP_URL,
          MAIL_FROM: "docket@example.com",
          MAIL_TO: "reports@example.com",
        };
        await withProgram(env, ({ origin }) =>
          withMonitoring({ docket: origin, receiver, alertmanagerPort }, async (prometheus) => {
            const hooks = (type: string) =>
              received.filter(({ path, body }) =>
                path === "/hook" && JSON.parse(body).type === `incident.${type}`
              );
            const alerts = (status: string) =>
              received.filter(({ path, body }) =>
                path === "/alerts" && JSON.parse(body).status === status
              );
            const mailed = (words: string) =>
              mails.some(({ source }) => source.includes(words));
            const inPrometheus = async () => {
              const { data } = await (await fetch(`${prometheus}/api/v1/alerts`)).json();
              return data.alerts
                .filter(({ state }: { state: string }) => state === "firing")
                .map(({ labels }: { labels: Record<string, string> }) =>
                  `${labels.alertname} ${labels.schedule_id}`
                );
            };
            const DOWN = `DocketScheduleDown ${SCHEDULE}`;
            const is = (check: () => void | Promise<void>) => eventually(async () => await check());

            const act = await signedIn(origin);
            await act("/schedules/watch", { add: String(SCHEDULE) });
            const polled = () =>
              service.requests.filter(({ url }) => url.includes("/history")).length;
            await is(() => assert(polled() > 0));
            assertEquals(received.filter(({ path }) => path !== "/beat"), []);

            const now = Date.now();
            service.runs.get(SCHEDULE)!.unshift(runAt(now - 30_000, 1001, "failure"));
            await act(`/schedules/${SCHEDULE}/check-now`);
            await is(() => assertEquals(hooks("opened").length, 1));
            isDown = true;
            const { incident } = JSON.parse(hooks("opened")[0].body).data;
            await act(`/incidents/${incident.id}`, { action: "acknowledge", name: "Ada" });
            await is(() => assertEquals(hooks("acknowledged").length, 1));
            await is(() => assertEquals(alerts("firing").length, 1));
            await is(async () => assert((await inPrometheus()).includes(DOWN)));

            isDown = false;
            service.runs.get(SCHEDULE)!.unshift(runAt(Date.now() - 25_000, 1002));
            await act(`/schedules/${SCHEDULE}/check-now`);
            await is(() => assertEquals(hooks("resolved").length, 1));
            await is(() => assert(mailed(`Schedule ${SCHEDULE}: failing`)));
            await is(() => assertEquals(alerts("resolved").length, 1));
            await is(async () => assert(!(await inPrometheus()).includes(DOWN)));
            await is(() => assertEquals(hooks("acknowledged").length, 2));
            const ids = hooks("acknowledged").map(({ headers }) => headers.get("webhook-id"));
            assertEquals(ids[0], ids[1]);
            await is(() => assert(mailed(`Resolved: Schedule ${SCHEDULE}`)));
            assertEquals(hooks("opened").length, 1);
            assertEquals(alerts("firing").length, 1);
          }));
      });
    }),
});
