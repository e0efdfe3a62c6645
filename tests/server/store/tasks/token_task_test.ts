import { assertEquals, assertStringIncludes } from "@std/assert";
import { endOfEverySession } from "../../../../server/auth/sessions.ts";
import { RECORDS_FILE } from "../../../../server/store/open.ts";
import { token } from "../../../../server/store/tasks/token_task.ts";
import { inDatabase, withTasks } from "./task_context.ts";

Deno.test("token: lists and revokes", () =>
  withTasks(async ({ run }) => {
    await run(token, "add", "one");
    await run(token, "add", "second\none", "--operator");
    assertEquals((await run(token, "revoke", "one")).printed, 'Revoked "one"');
    assertEquals((await run(token, "list")).printed.split("\n"), [
      "NAME        ROLE      CREATED            LAST USED  REVOKED",
      "one         reader    2026-03-10T15:00Z  never      2026-03-10T15:00Z",
      "second\ufffdone  operator  2026-03-10T15:00Z  never",
    ]);
  }));

Deno.test("token: with an upstream, tokens are among the records, and need OBSERVER_TOKEN", () =>
  withTasks(async ({ dataDir, run }) => {
    const { code, printed, reported } = await run(token, "add", "Ada", "--operator");
    assertEquals(code, 0);
    assertStringIncludes(reported, "until OBSERVER_TOKEN is set");
    const found = await inDatabase(
      { dataDir, file: RECORDS_FILE },
      ({ store }) => store.tokens.find(printed, new Date()),
    );
    assertEquals(found, { name: "Ada", role: "operator" });
  }, { SERVICE_BASE_URL: "https://service.example.com" }));

Deno.test("token: end-sessions ends what everybody began before", () =>
  withTasks(async ({ run, open }) => {
    assertEquals((await run(token, "end-sessions")).printed, "Ended every session");
    const { name, before } = endOfEverySession(Date.parse("2026-03-10T15:00:00Z"));
    const ended = await open(({ store }) => store.endedSessions.endedBefore([name]));
    assertEquals(ended, before);
  }));
