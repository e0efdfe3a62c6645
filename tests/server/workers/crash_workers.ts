/** Lets each worker end with this message as soon as it is asked, until it is disposed of. */
export function crashWorkers(message: string): Disposable {
  const { Worker } = globalThis;
  class CrashingWorker {
    onerror: ((event: ErrorEvent) => void) | null = null;
    postMessage() {
      const event = new ErrorEvent("error", { message, cancelable: true });
      queueMicrotask(() => this.onerror?.(event));
    }
    terminate() {}
  }
  Object.assign(globalThis, { Worker: CrashingWorker });
  return { [Symbol.dispose]: () => void Object.assign(globalThis, { Worker }) };
}
