/** Workers, and what stands in for them where the host has none. */
import { setImmediate as turn } from "node:timers/promises";
import { setPriority } from "node:os";

/** Answers a message; undefined if there is nothing to answer. */
type Answerer<Message> = (message: Message) => unknown;

/**
 * Starts a worker. Where the host has none, `createAnswerer` does its job in this thread, each message
 * after other waiting work.
 */
export function startWorker<Message>(url: URL, createAnswerer: () => Answerer<Message>): Worker {
  try {
    return new Worker(url, { type: "module" });
  } catch {
    return workerInThisThread(createAnswerer());
  }
}

export function workerInThisThread<Message>(answer: Answerer<Message>): Worker {
  let isEnded = false;
  const worker: Pick<Worker, "onmessage" | "postMessage" | "terminate"> = {
    onmessage: null,
    async postMessage(message: Message) {
      await turn();
      const data = isEnded ? undefined : answer(message);
      if (data !== undefined) worker.onmessage?.call(worker as Worker, { data } as MessageEvent);
    },
    terminate: () => void (isEnded = true),
  };
  return worker as Worker;
}

/** Answers messages in a worker. */
export function answerMessages<Message>(answer: Answerer<Message>): void {
  const scope = self as unknown as Worker;
  scope.onmessage = ({ data }) => {
    const answered = answer(data);
    if (answered !== undefined) scope.postMessage(answered);
  };
}

/** Gives this worker a lower priority than the thread that answers requests. */
export function lowerPriority(): void {
  // Elsewhere, this would slow down the whole process.
  if (Deno.build.os !== "linux") return;
  try {
    setPriority(0, 10);
  } catch {
    // Some programs and hosts don't allow it.
  }
}
