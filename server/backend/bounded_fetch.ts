/** Fetch with a limit on the length of responses, since a service may never stop sending. */

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const BLOCK_BYTES = 64 * 1024;

/**
 * Fetch that passes on a limited number of bytes of a successful response, counted after decompression.
 * Of other responses, the client itself only reads the beginning.
 * `onLonger` is called once when a response is longer; reading it then fails.
 */
export function boundedFetch(maxBytes: number, onLonger: () => void): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.ok || !response.body) return response;
    return new Response(
      bounded(response.body, { signal: init.signal, maxBytes, onLonger }),
      response,
    );
  };
}

/**
 * The same bytes in blocks. Each chunk from the network holds a buffer of a block's size, however small
 * it is, so the chunks of a response in small pieces would fill the memory.
 */
function bounded(
  body: ReadableStream<Uint8Array>,
  { signal, maxBytes, onLonger }: {
    readonly signal?: AbortSignal | null;
    readonly maxBytes: number;
    readonly onLonger: () => void;
  },
): ReadableStream<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  const cancel = () => void reader.cancel().catch(() => {});
  // Waiting for a full block does not end by itself when the request is aborted.
  signal?.addEventListener("abort", cancel, { once: true });
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read(new Uint8Array(BLOCK_BYTES), { min: BLOCK_BYTES });
      signal?.throwIfAborted();
      bytes += value?.byteLength ?? 0;
      if (bytes > maxBytes) {
        onLonger();
        cancel();
        throw new Error(`The answer is longer than ${maxBytes} bytes`);
      }
      if (value?.byteLength) controller.enqueue(value);
      if (done) controller.close();
    },
    cancel,
  });
}
