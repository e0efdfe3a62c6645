/** Fetch for answers of a bounded length: a service that lies may send for ever. */

/** Sends a request, as the client wants it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

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
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= most) return controller.enqueue(chunk);
        onLonger();
        controller.error(new Error(`The answer is longer than ${most} bytes`));
      },
    });
    // Whoever gives up lets go of the connection too, and not only of what was read.
    const signal = init.signal ?? undefined;
    return new Response(response.body.pipeThrough(bounded, { signal }), response);
  };
}
