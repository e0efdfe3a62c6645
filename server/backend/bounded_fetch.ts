/** Fetch for answers of a bounded length: a service that lies may send for ever. */

/** Sends a request, as the client wants it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How much is waited for before it is handed on, in bytes. */
const BLOCK = 64 * 1024;

/**
 * Fetch that lets at most so many bytes of a good answer through, counted as they are after
 * decompression. Of the others the client itself reads only the beginning.
 *
 * @param most The most bytes.
 * @param onLonger Called once when an answer is longer; whoever reads it is cut off.
 */
export function boundedFetch(most: number, onLonger: () => void): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.ok || !response.body) return response;
    return new Response(bounded(response.body, { signal: init.signal, most, onLonger }), response);
  };
}

/**
 * The same bytes in blocks. A chunk as it comes has a buffer of a block's size to itself, however
 * small it is: kept until the answer is whole, a thousandth of what is allowed would fill the memory.
 */
function bounded(
  body: ReadableStream<Uint8Array>,
  { signal, most, onLonger }: {
    readonly signal?: AbortSignal | null;
    readonly most: number;
    readonly onLonger: () => void;
  },
): ReadableStream<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  const letGo = () => void reader.cancel().catch(() => {});
  // Reading for a whole block does not end by itself when the request is given up.
  signal?.addEventListener("abort", letGo, { once: true });
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read(new Uint8Array(BLOCK), { min: BLOCK });
      signal?.throwIfAborted();
      bytes += value?.byteLength ?? 0;
      if (bytes > most) {
        onLonger();
        letGo();
        throw new Error(`The answer is longer than ${most} bytes`);
      }
      if (value?.byteLength) controller.enqueue(value);
      if (done) controller.close();
    },
    cancel: letGo,
  });
}
