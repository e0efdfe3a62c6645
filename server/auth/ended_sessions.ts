/** Sessions that were ended early, so that a copied cookie can't revive one. */

/** The end of the sessions with one name; times in milliseconds. */
export interface SessionEnd {
  /** Names one session, or several. */
  readonly name: string;
  /** Sessions that began before this are ended. */
  readonly before: number;
  /** When all of them have expired anyway. */
  readonly expires: number;
}

export interface EndedSessions {
  /** Adds to the list, and removes what expired before `now`. */
  add(end: SessionEnd, now: number): Promise<void>;
  /** Sessions with any of these names that began before this are ended. */
  endedBefore(names: readonly string[]): Promise<number>;
}

/**
 * A list in this process, and in `store` for other processes if given. In this process it holds at
 * once, even if the store can't be written to.
 */
export function createEndedSessions(store?: EndedSessions): EndedSessions {
  const here = new Map<string, SessionEnd>();
  return {
    async add(end, now) {
      for (const [name, { expires }] of here) {
        if (expires < now) here.delete(name);
      }
      here.set(end.name, end);
      await store?.add(end, now);
    },

    async endedBefore(names) {
      const known = names.map((name) => here.get(name)?.before ?? -Infinity);
      return Math.max(...known, await store?.endedBefore(names) ?? -Infinity);
    },
  };
}
