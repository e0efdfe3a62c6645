/** Holds timers of that length until they are let pass, all at once; gives how many did. */
export function holdTimers(heldMs: number): { pass(): number; release(): void } {
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  const held = new Map<symbol, () => void>();
  const fakes = {
    setTimeout(work: () => void, ms?: number) {
      if (ms !== heldMs) return start(work, ms);
      const id = Symbol();
      held.set(id, work);
      return id;
    },
    clearTimeout(id: number | symbol | undefined) {
      if (typeof id === "symbol") held.delete(id);
      else clear(id);
    },
  };
  Object.assign(globalThis, fakes);
  return {
    pass() {
      const works = [...held.values()];
      held.clear();
      for (const work of works) work();
      return works.length;
    },
    release: () => void Object.assign(globalThis, { setTimeout: start, clearTimeout: clear }),
  };
}
