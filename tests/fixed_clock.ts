/** The time at which tests of the app begin, so that none depends on the hour, the day or the year. */

/** A Wednesday in winter, in whose next minutes no run of the sample is due. */
export const START = Date.UTC(2026, 10, 11, 12, 40);

/** Lets this program's clock go on from the start, or from a time near it, until it is disposed of. */
export function clockFromStart(time = START): Disposable {
  const real = Date;
  moveClock(time - Date.now());
  return { [Symbol.dispose]: () => void (globalThis.Date = real) };
}

/** Moves the clock ahead by so many milliseconds, here or, as a script, on a page. */
export function moveClock(ahead: number): void {
  const Real = Date;
  const now = () => Real.now() + ahead;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args: [number]) =>
      args.length > 0 ? new target(...args) : new target(now()),
    get: (target, name) => name === "now" ? now : Reflect.get(target, name),
  });
}
