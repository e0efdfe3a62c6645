import type { Backend } from "../../lib/client/backend.ts";
import { createClient } from "../../lib/client/client.ts";
import { isDocketError } from "../../lib/errors.ts";
import { ProblemError } from "../../server/http/problem.ts";
import type { Store } from "../../server/store/store.ts";
import { type RunningServer, TOKEN, withServer } from "../app.ts";
import { testBackendContract } from "../server/store/backend_contract.ts";

/** One app over an embedded store, and one that has the first as its upstream, for all tests. */
let embedded: RunningServer;
let adapter: RunningServer;
let end: () => void;
let ended: Promise<void>;

Deno.test.beforeAll(async () => {
  const ready = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  end = over.resolve;
  ended = withServer({}, (first) => {
    embedded = first;
    return withServer({ SERVICE_BASE_URL: first.origin }, async (second) => {
      adapter = second;
      ready.resolve();
      await over.promise;
    });
  });
  await Promise.race([ready.promise, ended]);
});

Deno.test.afterAll(async () => {
  end();
  await ended;
});

/** The embedded store, asked through an app; the contract knows a refusal by its problem. */
function through(app: RunningServer): Store {
  const client = createClient({ baseUrl: app.origin, token: TOKEN });
  const asked = async <T>(call: PromiseLike<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      if (!isDocketError(error) || error.kind !== "http") throw error;
      throw new ProblemError(error.status, error.message);
    }
  };
  const backend: Backend = {
    fileSets: { search: (body, options) => asked(client.fileSets.search(body, options)) },
    reportSchedules: {
      history: (scheduleId, options) => asked(client.reportSchedules.history(scheduleId, options)),
    },
  };
  return { ...embedded.services.store!, ...backend };
}

testBackendContract("Upstream", async (work) => {
  await embedded.services.store!.clear();
  await work(through(adapter));
}, 20);
