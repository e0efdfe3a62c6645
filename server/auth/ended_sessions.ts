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

/** A list in this process. */
export function createEndedSessions(): EndedSessions {
  const ends = new Map<string, SessionEnd>();
  return {
    add(end, now) {
      for (const [name, { expires }] of ends) {
        if (expires < now) ends.delete(name);
      }
      ends.set(end.name, end);
      return Promise.resolve();
    },
    endedBefore: (names) =>
      Promise.resolve(Math.max(...names.map((name) => ends.get(name)?.before ?? -Infinity))),
  };
}
