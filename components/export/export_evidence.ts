import { formatBytes } from "../../lib/format.ts";
import { saveFile } from "../ui/save_file.ts";

/** Browsers hold a file until it is whole: in memory, and larger ones on the disk. */
const MOST_BYTES = 2 ** 30;

/** Downloads a pack. Nothing is saved unless it is whole. */
export async function exportEvidence(
  href: string,
  { signal, onProgress }: {
    readonly signal: AbortSignal;
    readonly onProgress: (message: string) => void;
  },
): Promise<{ readonly message: string; readonly failed: boolean }> {
  const received = (bytes: number) =>
    onProgress(`${formatBytes(bytes)} of evidence so far; it pauses to read every row again`);
  let bytes = 0;
  try {
    received(0);
    const response = await fetch(href, { signal, headers: { accept: "application/zip" } });
    const name = /filename="(.*)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
    if (!name) {
      const { detail = "Reload the page" } = await response.json().catch(() => ({}));
      return { message: `No evidence was made. ${detail}.`, failed: true };
    }
    const counted = response.body!.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          received(bytes += chunk.length);
          if (bytes > MOST_BYTES) throw new RangeError();
          controller.enqueue(chunk);
        },
      }),
    );
    saveFile(new Blob([await new Response(counted).blob()], { type: "application/zip" }), name);
    return { message: `Saved ${name}.`, failed: false };
  } catch {
    if (signal.aborted) return { message: "Stopped. No evidence was saved.", failed: false };
    const message = bytes > MOST_BYTES
      ? "No evidence was saved: it is larger than 1 GB. Make it on the command line."
      : "The download of the evidence broke off. Try again.";
    return { message, failed: true };
  }
}
