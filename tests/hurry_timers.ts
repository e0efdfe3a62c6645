/** Lets timers of that length pass at once, until it is disposed of. */
export function hurryTimers(hurriedMs: number): Disposable {
  const { setTimeout: start } = globalThis;
  const hurried = (work: () => void, ms?: number) => start(work, ms === hurriedMs ? 0 : ms);
  Object.assign(globalThis, { setTimeout: hurried });
  return { [Symbol.dispose]: () => void Object.assign(globalThis, { setTimeout: start }) };
}
