import { existsSync } from "node:fs";
import { assert, assertEquals } from "@std/assert";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { seed } from "../../../../server/store/tasks/seed_task.ts";
import { token } from "../../../../server/store/tasks/token_task.ts";
import { TOKEN, withServer } from "../../../app.ts";
import { assertRefuses, withTasks } from "./task_context.ts";

Deno.test("openForTask: names the file, and goes on where nobody serves a database", () =>
  withTasks(async ({ dataDir, run }) => {
    const { code, reported } = await run(token, "list");
    assertEquals([code, reported.split("\n")], [0, [
      `Database: ${dataDir}/docket.sqlite`,
      "DOCKET_URL does not answer which database it serves: it was not compared",
    ]]);
  }, { DOCKET_URL: "http://127.0.0.1:1" }));

Deno.test("openForTask: changes nothing where the Docket at DOCKET_URL serves another database", () =>
  withServer({}, async ({ origin }) => {
    await withTasks(async ({ run, dataDir }) => {
      const message = "No data was changed: the Docket at DOCKET_URL serves";
      await assertRefuses(run, seed, [[[], message]]);
      await assertRefuses(run, importFile, [[[], message]]);
      await assertRefuses(run, token, [[["add", "ci"], message]]);
      assert(!existsSync(`${dataDir}/docket.sqlite`));
    }, { DOCKET_URL: origin, DOCKET_TOKEN: TOKEN });
  }));
