import { formatBytes } from "../../lib/format.ts";
import { saveFile } from "../ui/save_file.ts";

/** The page holds a pack in memory until it is complete. */
const MAX_BYTES = 250_000_000;
const TOO_LARGE = "No evidence was saved: it is larger than 250 MB. Use the command line instead.";

/** Downloads a pack. Nothing is saved unless it is complete. */
export async function exportEvidence(
  href: string,
  { signal, onProgress }: {
    readonly signal: AbortSignal;
    readonly onProgress: (message: string) => void;
  },
): Promise<{ readonly message: string; readonly failed: boolean }> {
  const received = (bytes: number) =>
    onProgress(`${formatBytes(bytes)} of evidence received; pauses to read every row again`);
  try {
    let bytes = 0;
    received(bytes);
    const response = await fetch(href, { signal, headers: { accept: "application/zip" } });
    const name = /filename="(.*)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
    if (!name) {
      const { detail = "Reload the page" } = await response.json().catch(() => ({}));
      return { message: `No evidence was created. ${detail}.`, failed: true };
    }
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (const reader = response.body!.getReader();;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      received(bytes += value.length);
      if (bytes > MAX_BYTES) {
        await reader.cancel();
        return { message: TOO_LARGE, failed: true };
      }
    }
    saveFile(new Blob(chunks, { type: "application/zip" }), name);
    return { message: `Saved ${name}.`, failed: false };
  } catch {
    return signal.aborted
      ? { message: "Stopped. No evidence was saved.", failed: false }
      : { message: "The evidence download was interrupted. Try again.", failed: true };
  }
}
