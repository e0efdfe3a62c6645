/** A limit on guessing developer tokens at the API. */
import { LRUCache } from "lru-cache";
import { createAttempts } from "./failed_attempts.ts";

const MAX_ACCEPTED = 10_000;

export type TokenGuard = ReturnType<typeof createTokenGuard>;

/** A guard that counts in this process only. `now` is in milliseconds. */
export function createTokenGuard(now: () => number = Date.now) {
  const attempts = createAttempts("requests with unknown tokens", now);
  const accepted = new LRUCache<string, true>({ max: MAX_ACCEPTED });

  return {
    /**
     * Makes a call with a client's token. Where the response rejects the token, that counts as a failed
     * attempt of the client; a token that was accepted from it is not held up by others that fail.
     *
     * @throws {ProblemError} Without making the call, when the client failed too often.
     */
    async watch(client: string, token: string, call: () => Promise<Response>): Promise<Response> {
      const key = `${client} ${token}`;
      if (accepted.get(key)) {
        const response = await call();
        if (isRejected(response)) accepted.delete(key);
        return response;
      }
      let response!: Response;
      await attempts.attempt(client, async () => {
        response = await call();
        return isRejected(response) ? null : response;
      }, token);
      if (response.ok) accepted.set(key, true);
      return response;
    },
  };
}

/** A token that could not be checked, as when the service is down, is not rejected. */
function isRejected({ status }: Response): boolean {
  return status === 401 || status === 403;
}
