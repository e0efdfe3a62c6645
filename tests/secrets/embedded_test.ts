/**
 * Docket with the embedded service, its tasks and its outlets: secrets are planted in the settings and
 * the data, and searched for in every byte that it sends, serves, logs or stores.
 */
import { DatabaseSync } from "node:sqlite";
import { assert, assertEquals } from "@std/assert";
import { importFile } from "../../server/store/tasks/import_task.ts";
import { token as tokenTask } from "../../server/store/tasks/token_task.ts";
import { eventually } from "../eventually.ts";
import { type TaskResult, withTasks } from "../server/store/tasks/task_context.ts";
import { withMailServer } from "../server/observer/mail_server.ts";
import { withReceiver } from "../server/observer/receiver.ts";
import { type Planted, plantedRuns, plantSecrets } from "./planted.ts";
import { signIn, sweep, visit, withWatchedProgram } from "./sweep.ts";

/** Runs that can't be imported, with addresses in all places. */
function faultyRuns(planted: Planted): string {
  const [first, second] = planted.addresses;
  const [run] = plantedRuns(planted);
  const runs = [
    { ...run, [first]: 1, recipients: first },
    { ...run, recipients: [{ userId: first, displayName: 1, emailAddress: [second] }] },
    { ...run, status: `${first}\0`, scheduleId: first },
    [[first]],
  ];
  return [...runs.map((each) => JSON.stringify(each)), `{"${first}`, second].join("\n");
}

/** The settings of outlets at a receiver and a mail server, each with a secret in it. */
function outletsAt({ watch: { plant } }: Planted, receiver: string, smtpUrl: string) {
  return {
    WEBHOOK_URL: `${receiver}/hook/${plant("hook")}`,
    WEBHOOK_SECRET: `whsec_${plant("webhook", btoa(plant("webhook")))}`,
    ALERTMANAGER_URL: receiver.replace("//", `//docket:${plant("alertmanager")}@`),
    HEARTBEAT_URL: `${receiver}/beat/${plant("heartbeat")}`,
    SMTP_URL: smtpUrl.replace("//", `//docket:${plant("smtp")}@`),
    MAIL_FROM: "docket@example.com",
    MAIL_TO: "ops@example.com",
    METRICS_TOKEN: plant("metrics"),
    OBSERVE_EVERY: "1s",
  };
}

/** Runs a test with outlets; all that they are sent is taken, and each must be sent something. */
async function withOutlets(
  planted: Planted,
  test: (env: Readonly<Record<string, string>>, allSent: () => void) => Promise<void>,
): Promise<void> {
  const { watch } = planted;
  await withMailServer((smtpUrl, mails) =>
    // A receiver that repeats what it was sent.
    withReceiver(({ body }) => new Response(body), async (receiver, received) => {
      const placesIn = () => new Set(received.map(({ path }) => path.split("/")[1]));
      await test(outletsAt(planted, receiver, smtpUrl), () => {
        assertEquals([...placesIn()].sort(), ["api", "beat", "hook"]);
        assert(mails.length > 0, "no mail was sent");
      });
      for (const { path, headers, body } of received) {
        const [, place] = path.split("/");
        watch.saw(`the path of ${place}`, path, { hook: ["hook"], beat: ["heartbeat"] }[place]);
        const belongs = place === "api" ? ["alertmanager"] : [];
        watch.saw(`a request to ${place}`, JSON.stringify([...headers]) + body, belongs);
      }
      for (const { source } of mails) {
        // Quoted-printable breaks lines within words.
        watch.saw("a mail", source + source.replaceAll("=\r\n", ""));
      }
    })
  );
}

Deno.test("[e2e] secrets: the embedded service, its tasks and outlets keep them, also broken", () =>
  withTasks(async ({ dataDir, run }) => {
    const planted = plantSecrets();
    const { watch, token, sessionKey, wrongToken, addresses } = planted;
    const channelSecret = watch.plant("channel secret");
    const saw = (place: string, { printed, reported }: TaskResult) =>
      watch.saw(place, `${printed}\n${reported}`);
    const good = plantedRuns(planted).map((each) => JSON.stringify(each)).join("\n");
    for (const runs of [good, faultyRuns(planted)]) {
      await Deno.writeTextFile(`${dataDir}/runs.ndjson`, runs);
      saw("import", await run(importFile, "--schedule", "901", `${dataDir}/runs.ndjson`));
    }
    // There is no such file.
    saw("import", await run(importFile, "--schedule", "901", addresses[0]));
    const { printed: madeToken } = await run(tokenTask, "add", "planted");
    watch.plant("made token", madeToken);
    saw("token list", await run(tokenTask, "list"));
    await withOutlets(planted, (outlets, allSent) => {
      const env = {
        DATA_DIR: dataDir,
        SERVICE_TOKEN: token,
        SESSION_KEY: sessionKey,
        RECORDS_KEY: watch.plant("records key"),
        ...outlets,
      };
      return withWatchedProgram(planted, env, async ({ origin, printed }) => {
        const call = async (method: string, path: string, body?: object) => {
          const headers = {
            "X-SERVICE-Developer-Token": token,
            "content-type": "application/json",
          };
          const init = { method, headers, ...body && { body: JSON.stringify(body) } };
          const response = await fetch(`${origin}/api/docket/v1/${path}`, init);
          watch.saw(`${method} ${path}`, await response.text());
          return response.status;
        };
        // It is long overdue. An address in its name is masked in what is sent, and part of it on pages.
        const named = { name: `Sales for ${addresses[1]}` };
        const watched = { scheduleIds: [901], cron: "0 6 * * *", zone: "UTC", ...named };
        assertEquals(await call("POST", "watches", watched), 200);
        await eventually(allSent);
        assertEquals(await call("PATCH", "watches/901", { name: "Sales" }), 204);
        const metrics = { authorization: `Bearer ${outlets.METRICS_TOKEN}` };
        watch.saw(
          "/metrics",
          await (await fetch(`${origin}/metrics`, { headers: metrics })).text(),
        );
        const slack = `https://hooks.slack.com/services/${channelSecret}`;
        assertEquals(await call("PUT", "owners/Finance", { slack }), 204);
        assertEquals(await call("GET", "owners"), 200);
        // Slack refuses it, or can't be reached.
        assertEquals(await call("POST", "owners/Finance/test"), 200);
        const teams = `https://evil.example/${channelSecret}`;
        assertEquals(await call("PUT", "owners/Finance", { teams }), 400);
        const [, code] = /sign-in\?code=(\w+)/.exec(printed())!;
        watch.plant("sign-in code", code);
        await fetch(`${origin}/sign-in?code=${code}`).then((page) => page.body?.cancel());
        await signIn(origin, planted, { code });
        const ofMade = await signIn(origin, planted, { token: madeToken });
        await sweep(origin, planted, await signIn(origin, planted, { token }));

        // Tables that are gone are faults that nobody expects.
        const database = new DatabaseSync(`${dataDir}/docket.sqlite`);
        // The observer may be writing.
        database.exec("PRAGMA busy_timeout = 60000");
        for (const table of ["file_sets", "runs", "tokens"]) {
          database.exec(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
        }
        database.close();
        await visit(origin, planted, ofMade);
        const body = new URLSearchParams({ token: wrongToken });
        await fetch(`${origin}/sign-in`, { method: "POST", body }).then((page) => page.text());
        assert(printed().includes('"status":500'), "nothing failed");
      });
    });
    // As a backup has it, with what waits in the write-ahead log; runs list their recipients.
    for (const name of ["docket.sqlite", "docket.sqlite-wal"]) {
      const bytes = await Deno.readFile(`${dataDir}/${name}`).catch(() => new Uint8Array());
      watch.saw(`the database ${name}`, new TextDecoder("latin1").decode(bytes), ["address"]);
    }
    // What each outlet's own address holds is seen there, so the search does see.
    const outlets = ["alertmanager", "heartbeat", "hook"];
    const belonging = ["address", "session cookie", "sign-in code", "words", ...outlets].sort();
    assertEquals(watch.search(), { leaks: [], belonging });
  }));
