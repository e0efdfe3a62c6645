import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openStore } from "../../../../server/store/open.ts";
import { token } from "../../../../server/store/tasks/token.ts";
import { withTasks } from "./task_context.ts";

Deno.test("token: makes one that the store accepts, and keeps only its hash", () =>
  withTasks(async ({ dataDir, run }) => {
    const { code, printed } = await run(token, "add", "build server");
    assertEquals(code, 0);
    assertMatch(printed, /^dkt_[0-9a-f]{64}$/);
    const store = await openStore({ dataDir, databaseUrl: null });
    assert(await store.tokens.accepts(printed, new Date()));
    await store.close();
    for (const { name } of Deno.readDirSync(dataDir)) {
      const bytes = await Deno.readFile(`${dataDir}/${name}`);
      assert(!new TextDecoder("latin1").decode(bytes).includes(printed), name);
    }
  }));

Deno.test("token: lists and revokes", () =>
  withTasks(async ({ run }) => {
    await run(token, "add", "one");
    await run(token, "add", "second one");
    assertEquals((await run(token, "revoke", "one")).printed, 'Revoked "one"');
    assertEquals((await run(token, "list")).printed.split("\n"), [
      "NAME        CREATED           LAST USED  REVOKED",
      "one         2026-03-10T15:00  never      2026-03-10T15:00",
      "second one  2026-03-10T15:00  never",
    ]);
  }));

Deno.test("token: names what is wrong", () =>
  withTasks(async ({ run }) => {
    await run(token, "add", "one");
    for (
      const [args, message] of [
        [[], "Use add NAME"],
        [["remove", "one"], "Use add NAME"],
        [["add"], "Give the token a name"],
        [["add", "one"], 'A token named "one" exists'],
        [["add", "x".repeat(101)], "at most 100"],
        [["revoke", "nobody"], "no token named"],
        [["list", "one"], "list takes no name"],
      ] as const
    ) {
      const { code, reported } = await run(token, ...args);
      assert(code !== 0);
      assertStringIncludes(reported, message);
    }
  }));
