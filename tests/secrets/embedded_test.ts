import { DatabaseSync } from "node:sqlite";
import { assert, assertEquals } from "@std/assert";
import { type Planted, plantedRuns, plantSecrets } from "./planted.ts";
import { redeem, signIn, sweep, visit } from "./sweep.ts";
import { runTask } from "./task.ts";
import { withWatchedProgram } from "./watched_program.ts";
import { withFolder } from "../with_folder.ts";

/** Runs that can't be imported, with addresses in all places. */
function faultyRuns(planted: Planted): string {
  const [first, second] = planted.addresses;
  const [run] = plantedRuns(planted);
  const runs = [
    { ...run, [first]: 1, recipients: first },
    { ...run, recipients: [{ userId: first, displayName: 1, emailAddress: [second] }] },
    { ...run, status: `${first}\0`, scheduleId: first },
    { id: first, [second]: first },
    [[first]],
  ];
  return [...runs.map((each) => JSON.stringify(each)), `{"${first}`, second].join("\n");
}

for (const format of ["json", "text"]) {
  Deno.test(`[e2e] secrets: the embedded service keeps them, also broken, with a log of ${format}`, () =>
    withFolder(async (dataDir) => {
      const planted = plantSecrets();
      const { watch, token, sessionKey } = planted;
      const made = () => crypto.getRandomValues(new Uint8Array(24)).toHex();
      const [recordsKey, channelSecret] = [made(), made()];
      watch.plant("records key", recordsKey);
      watch.plant("channel secret", channelSecret);
      const env = {
        DATA_DIR: dataDir,
        SERVICE_TOKEN: token,
        SESSION_KEY: sessionKey,
        RECORDS_KEY: recordsKey,
      };
      await runTask(planted, "import", ["--schedule", "901"], env, {
        input: plantedRuns(planted).map((run) => JSON.stringify(run)).join("\n"),
      });
      const elsewhere = { ...env, DATA_DIR: `${dataDir}/faulty` };
      await runTask(planted, "import", ["--schedule", "901"], elsewhere, {
        input: faultyRuns(planted),
      });
      const added = await runTask(planted, "token", ["add", "planted"], env, {
        belongs: ["made token"],
      });
      watch.plant("made token", added.stdout.trim());
      await runTask(planted, "token", ["list"], env);

      const withLog = { ...env, LOG_FORMAT: format };
      await withWatchedProgram(planted, withLog, async ({ origin, printed }) => {
        const owner = async (method: string, path: string, body?: object) => {
          const headers = {
            "X-SERVICE-Developer-Token": token,
            "content-type": "application/json",
          };
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
        await redeem(origin, planted, new URLSearchParams({ code }));
        const cookie = await signIn(origin, planted);
        const ofMade = await signIn(origin, { ...planted, token: added.stdout.trim() });
        // A format is how a line is written: the usual requests show that the other one is as careful.
        await (format === "json" ? sweep : visit)(origin, planted, cookie);

        // Tables that are gone are faults that nobody expects.
        const database = new DatabaseSync(`${dataDir}/docket.sqlite`);
        database.exec("ALTER TABLE file_sets RENAME TO a; ALTER TABLE runs RENAME TO b");
        await visit(origin, planted, cookie);
        database.exec("ALTER TABLE tokens RENAME TO c");
        database.close();
        await visit(origin, planted, ofMade);
        const body = new URLSearchParams({ token: planted.wrongToken });
        await fetch(`${origin}/sign-in`, { method: "POST", body }).then((page) => page.text());

        assert(/"?status"?[=:]500\b/.test(printed()), "nothing failed");
      });
      // As a backup has it, with what waits in the write-ahead log; runs list their recipients.
      for (const name of ["docket.sqlite", "docket.sqlite-wal"]) {
        const bytes = await Deno.readFile(`${dataDir}/${name}`).catch(() => new Uint8Array());
        watch.saw(`the database ${name}`, new TextDecoder("latin1").decode(bytes), ["address"]);
      }
      assertEquals(watch.search(), {
        leaks: [],
        belonging: [
          "address",
          "made token",
          "session cookie",
          "sign-in code",
          "words",
        ],
      });
    }));
}
