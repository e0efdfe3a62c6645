/** The PostgreSQL that the tests of a worker share: each makes a database of its own in it. */
import { type PostgresServer, startPostgres } from "./server.ts";

/** It runs from before the first test until after the last. */
export let server: PostgresServer;

Deno.test.beforeAll(async () => {
  server = await startPostgres();
});
// It is undefined if it did not start, of which the error above says why.
Deno.test.afterAll(() => server?.stop());
