import { DatabaseSync } from "node:sqlite";
import { assert, assertEquals } from "@std/assert";
import { importFile } from "../../server/store/tasks/import_task.ts";
import { token as tokenTask } from "../../server/store/tasks/token_task.ts";
import { type TaskResult, withTasks } from "../server/store/tasks/task_context.ts";
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

Deno.test("[e2e] secrets: the embedded service and its tasks keep them, also broken", () =>
  withTasks(async ({ dataDir, run }) => {
    const planted = plantSecrets();
    const { watch, token, sessionKey, wrongToken } = planted;
    const channelSecret = watch.plant("channel secret");
    const saw = (place: string, { printed, reported }: TaskResult) =>
      watch.saw(place, `${printed}\n${reported}`);
    const good = plantedRuns(planted).map((each) => JSON.stringify(each)).join("\n");
    for (const runs of [good, faultyRuns(planted)]) {
      await Deno.writeTextFile(`${dataDir}/runs.ndjson`, runs);
      saw("import", await run(importFile, "--schedule", "901", `${dataDir}/runs.ndjson`));
    }
    // There is no such file.
    saw("import", await run(importFile, "--schedule", "901", planted.addresses[0]));
    const { printed: madeToken } = await run(tokenTask, "add", "planted");
    watch.plant("made token", madeToken);
    saw("token list", await run(tokenTask, "list"));
    const env = {
      DATA_DIR: dataDir,
      SERVICE_TOKEN: token,
      SESSION_KEY: sessionKey,
      RECORDS_KEY: watch.plant("records key"),
    };
    await withWatchedProgram(planted, env, async ({ origin, printed }) => {
      const owner = async (method: string, path: string, body?: object) => {
        const headers = { "X-SERVICE-Developer-Token": token, "content-type": "application/json" };
        const init = { method, headers, ...body && { body: JSON.stringify(body) } };
        const response = await fetch(`${origin}/api/docket/v1/owners${path}`, init);
        watch.saw(`${method} owners${path}`, await response.text());
        return response.status;
      };
      const slack = `https://hooks.slack.com/services/${channelSecret}`;
      assertEquals(await owner("PUT", "/Finance", { slack }), 204);
      assertEquals(await owner("GET", ""), 200);
      // Slack refuses it, or can't be reached.
      assertEquals(await owner("POST", "/Finance/test"), 200);
      const teams = `https://evil.example/${channelSecret}`;
      assertEquals(await owner("PUT", "/Finance", { teams }), 400);
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
      database.exec(
        "ALTER TABLE file_sets RENAME TO a; ALTER TABLE runs RENAME TO b; ALTER TABLE tokens RENAME TO c",
      );
      database.close();
      await visit(origin, planted, ofMade);
      const body = new URLSearchParams({ token: wrongToken });
      await fetch(`${origin}/sign-in`, { method: "POST", body }).then((page) => page.text());
      assert(printed().includes('"status":500'), "nothing failed");
    });
    // As a backup has it, with what waits in the write-ahead log; runs list their recipients.
    for (const name of ["docket.sqlite", "docket.sqlite-wal"]) {
      const bytes = await Deno.readFile(`${dataDir}/${name}`).catch(() => new Uint8Array());
      watch.saw(`the database ${name}`, new TextDecoder("latin1").decode(bytes), ["address"]);
    }
    assertEquals(watch.search(), {
      leaks: [],
      belonging: ["address", "session cookie", "sign-in code", "words"],
    });
  }));
