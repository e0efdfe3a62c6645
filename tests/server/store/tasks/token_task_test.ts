import { assertEquals, assertStringIncludes } from "@std/assert";
import { endOfEverySession } from "../../../../server/auth/sessions.ts";
import { RECORDS_FILE } from "../../../../server/store/open.ts";
import { token } from "../../../../server/store/tasks/token_task.ts";
import { assertRefuses, inDatabase, inStore, withTasks } from "./task_context.ts";

Deno.test("token: makes one that the store accepts, lists and revokes it, and ends sessions", () =>
  withTasks(async ({ dataDir, run }) => {
    const made = await run(token, "add", "one");
    await run(token, "add", "second\none", "--operator");
    const found = await inStore(dataDir, ({ tokens }) => tokens.find(made.printed, new Date(0)));
    assertEquals([made.code, found?.role], [0, "reader"]);
    assertEquals((await run(token, "revoke", "one")).printed, 'Revoked "one"');
    assertEquals((await run(token, "list")).printed.split("\n"), [
      "NAME        ROLE      CREATED            LAST USED          REVOKED",
      "one         reader    2026-03-10T15:00Z  1970-01-01T00:00Z  2026-03-10T15:00Z",
      "second\ufffdone  operator  2026-03-10T15:00Z  never",
    ]);
    assertEquals((await run(token, "end-sessions")).printed, "Ended every session");
    const { name, before } = endOfEverySession(Date.parse("2026-03-10T15:00:00Z"));
    const ended = await inStore(dataDir, (store) => store.endedSessions.endedBefore([name]));
    assertEquals(ended, before);
  }));

Deno.test("token: with an upstream, it is among the records, and nobody is signed out", () =>
  withTasks(async ({ dataDir, run }) => {
    const { printed, reported } = await run(token, "add", "Ada", "--operator");
    assertStringIncludes(reported, "until OBSERVER_TOKEN is set");
    await inDatabase({ dataDir, file: RECORDS_FILE }, async ({ store: { tokens } }) => {
      const found = await tokens.find(printed, new Date());
      assertEquals(found, { name: "Ada", role: "operator" });
    });
    await assertRefuses(run, token, [[["end-sessions"], "replace the session key"]]);
  }, { SERVICE_BASE_URL: "https://service.example.com" }));

Deno.test("token: names what is wrong", () =>
  withTasks(async ({ run }) => {
    await run(token, "add", "one");
    const usage = "Use add NAME";
    await assertRefuses(run, token, [
      [["remove", "one"], usage],
      [["add"], usage],
      [["list", "--operator"], usage],
      [["add", "two", "--reader", "--operator"], usage],
      [["add", " "], "The name of a token is missing"],
      [["add", "one"], 'There is already a token named "one"'],
      [["add", "x".repeat(101)], "at most 100"],
      [["revoke", "nobody"], "no token named"],
    ]);
  }));
