import { assert, assertEquals } from "@std/assert";
import { faultyTokens, withEchoingUpstream } from "./echo.ts";
import { plantSecrets } from "./planted.ts";
import { signIn, sweep, visit } from "./sweep.ts";
import { withWatchedProgram } from "./watched_program.ts";

Deno.test("[e2e] secrets: Docket leaks none when an upstream repeats them", async () => {
  const planted = plantSecrets();
  const { watch, token, sessionKey } = planted;
  await withEchoingUpstream(planted, ({ url, misbehave }) => {
    const env = { SERVICE_BASE_URL: url, SESSION_KEY: sessionKey };
    return withWatchedProgram(planted, env, async ({ origin, printed }) => {
      await sweep(origin, planted, await signIn(origin, planted, { token }));
      // A person for each fault. So many may not sign in at once from one address.
      const people = [];
      for (const token of faultyTokens(planted)) {
        const person = { ...planted, token };
        people.push({ person, cookie: await signIn(origin, person, { token }) });
      }
      misbehave();
      // All at once, for some faults are waited for.
      await Promise.all(people.map(({ person, cookie }) => visit(origin, person, cookie)));
      for (const kind of ["http", "shape", "network"]) {
        assert(printed().includes(`"reason":"${kind}`), `no fault of ${kind} was logged`);
      }
    });
  });
  assertEquals(watch.search(), { leaks: [], belonging: ["address", "session cookie", "words"] });
});
