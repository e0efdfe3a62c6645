/** What an upstream service says of the tokens that people use, asked again every five minutes. */
import { LRUCache } from "lru-cache";
import { MINUTE } from "../../lib/time_units.ts";
import { hashToken } from "../store/records/tokens.ts";
import { errorStatus, type Purpose } from "./service.ts";

const CHECKED_MS = 5 * MINUTE;
/** A service that does not answer is asked again after this. */
const AGAIN_MS = MINUTE / 2;
const MAX_TOKENS = 10_000;

/** Times are milliseconds since 1970. */
interface Accepted {
  /** When to ask again. */
  readonly until: number;
  /** When the service last answered a call with the token. */
  readonly goodAt: number;
  /** The schedule whose history it answered; null for file sets. */
  readonly scheduleId: number | null;
}

export function createTokenChecks(now: () => number) {
  const accepted = new LRUCache<string, Accepted>({ max: MAX_TOKENS });
  const goodAt = (key: string) => accepted.get(key)?.goodAt ?? -Infinity;

  return {
    /** Makes a call with a token, and remembers what the answer says about the token. */
    async watch<Answer>(
      token: string,
      scheduleId: number | null,
      call: PromiseLike<Answer>,
    ): Promise<Answer> {
      try {
        const answer = await call;
        accepted.set(hashToken(token), { until: now() + CHECKED_MS, goodAt: now(), scheduleId });
        return answer;
      } catch (error) {
        if (errorStatus(error) === 401) accepted.delete(hashToken(token));
        throw error;
      }
    },
    /** Whether the service answered a call with the token in the last five minutes. */
    isGood: (token: string): boolean => goodAt(hashToken(token)) > now() - CHECKED_MS,
    /**
     * Whether the service accepts a token, by a call of the operation that it answered last. It also
     * accepts a token if it only says that this one may not read file sets, or that there are none.
     *
     * @throws If the service does not say, but for a session, whose token it accepted before
     */
    async isAccepted(
      token: string,
      call: (scheduleId: number | null) => Promise<unknown>,
      purpose: Purpose,
    ): Promise<boolean> {
      const key = hashToken(token);
      const { until = 0, scheduleId = null } = accepted.get(key) ?? {};
      if (purpose !== "sign-in" && now() < until) return true;
      const keep = (ms: number) =>
        accepted.set(key, { until: now() + ms, goodAt: goodAt(key), scheduleId: null });
      try {
        await call(scheduleId);
      } catch (error) {
        const status = errorStatus(error);
        if (status === 401) return false;
        const mayNotRead = status === 403 || status === 404;
        if (mayNotRead && scheduleId !== null) {
          // The schedule may be gone, or taken away: what does the service say of file sets?
          keep(0);
          return await this.isAccepted(token, call, purpose);
        }
        if (!mayNotRead && purpose !== "session") throw error;
        keep(mayNotRead ? CHECKED_MS : AGAIN_MS);
      }
      return true;
    },
  };
}
