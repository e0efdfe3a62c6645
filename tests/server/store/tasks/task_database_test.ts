import { existsSync } from "node:fs";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { seed } from "../../../../server/store/tasks/seed_task.ts";
import { token } from "../../../../server/store/tasks/token_task.ts";
import { TOKEN, withServer } from "../../../app.ts";
import { withTasks } from "./task_context.ts";

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
      for (const [task, ...args] of [[seed], [importFile], [token, "add", "ci"]] as const) {
        const { code, printed, reported } = await run(task, ...args);
        assertEquals([code, printed], [2, ""]);
        assertStringIncludes(reported, "No data was changed: the Docket at DOCKET_URL serves");
        assert(!existsSync(`${dataDir}/docket.sqlite`));
      }
    }, { DOCKET_URL: origin, DOCKET_TOKEN: TOKEN });
  }));
