/** Reads request bodies within limits of size, time and depth. */
import { isProblemError, ProblemError } from "./problem.ts";

export const MAX_BODY_BYTES = 1024 * 1024;

/** The most bytes of a form; the longest form has a token and a path. */
export const MAX_FORM_BYTES = 64 * 1024;

/** The deepest nesting of a request body; a search needs four levels. */
const MAX_BODY_DEPTH = 8;

/** The first size of the buffer; few bodies are longer. */
const FIRST_BYTES = 1024;

/** The JSON value of the body, or a problem with status 400, 408, 413 or 415. */
export async function readJsonBody(request: Request, timeoutMs = 10_000): Promise<unknown> {
  requireJson(request.headers);
  const bytes = await readBytes(request, timeoutMs, MAX_BODY_BYTES);
  const text = decode(bytes);
  if (text.trim() === "") {
    throw new ProblemError(400, "The body is empty; send {} to list everything");
  }
  if (depthOf(text) > MAX_BODY_DEPTH) {
    throw new ProblemError(400, `The body is nested deeper than ${MAX_BODY_DEPTH} levels`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message repeats the input, which may contain anything.
    throw new ProblemError(400, "The body is not valid JSON");
  }
}

/** The fields of a form, or a problem with status 400, 408, 413 or 415. */
export async function readFormBody(
  request: Request,
  timeoutMs = 10_000,
): Promise<URLSearchParams> {
  const [type] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  if (type.trim() !== "application/x-www-form-urlencoded") {
    throw new ProblemError(415, "The form must be application/x-www-form-urlencoded", {
      headers: { accept: "application/x-www-form-urlencoded" },
    });
  }
  return new URLSearchParams(decode(await readBytes(request, timeoutMs, MAX_FORM_BYTES)));
}

/** The most bytes of an uploaded file, with the form around it. */
export const MAX_UPLOAD_BYTES = 4 * 1024 * 1024;

/** The fields of a form with a file, or a problem with status 400, 408, 413 or 415. */
export async function readUploadForm(request: Request, timeoutMs = 60_000): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.toLowerCase().startsWith("multipart/form-data")) {
    throw new ProblemError(415, "The form must be multipart/form-data", {
      headers: { accept: "multipart/form-data" },
    });
  }
  const bytes = await readBytes(request, timeoutMs, MAX_UPLOAD_BYTES) as Uint8Array<ArrayBuffer>;
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw new ProblemError(400, "The form can't be read: please choose the file again");
  }
}

function requireJson(headers: Headers): void {
  const [type, ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const isUtf8 = parameters.every((parameter) => {
    const [name, value] = parameter.split("=").map((part) => part.trim());
    return name !== "charset" || value?.replaceAll('"', "") === "utf-8";
  });
  if (type.trim() !== "application/json" || !isUtf8) {
    throw new ProblemError(415, "The body must be application/json in UTF-8", {
      headers: { accept: "application/json" },
    });
  }
  if ((headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new ProblemError(415, "The body must not be compressed", {
      headers: { "accept-encoding": "identity" },
    });
  }
}

async function readBytes(
  request: Request,
  timeoutMs: number,
  maxBytes: number,
): Promise<Uint8Array> {
  const tooLarge = () =>
    new ProblemError(413, `The body is larger than the allowed ${maxBytes} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) {
    await request.body?.cancel();
    throw tooLarge();
  }
  if (!request.body) return new Uint8Array();
  const chunks = request.body.getReader();
  // Not awaited: a source that stalls may never confirm it.
  const cancel = () => void chunks.cancel().catch(() => {});
  let bytes = new Uint8Array(FIRST_BYTES);
  let size = 0;
  let isLate = false;
  // Cancelling ends the pending read. Racing each read with a timeout would keep all chunks alive.
  const timer = setTimeout(() => {
    isLate = true;
    cancel();
  }, timeoutMs);
  try {
    while (true) {
      const { done, value } = await chunks.read();
      if (isLate) throw late(timeoutMs);
      if (done || !value) break;
      const next = size + value.byteLength;
      if (next > maxBytes) throw tooLarge();
      if (next > bytes.byteLength) bytes = resized(bytes, Math.max(next, 2 * bytes.byteLength));
      bytes.set(value, size);
      size = next;
    }
  } catch (error) {
    cancel();
    if (isProblemError(error)) throw error;
    throw incomplete(error);
  } finally {
    clearTimeout(timer);
  }
  return bytes.subarray(0, size);
}

function late(timeoutMs: number): ProblemError {
  return new ProblemError(408, `The body did not arrive within ${timeoutMs} ms`);
}

function incomplete(cause: unknown): ProblemError {
  return new ProblemError(400, "The body is incomplete", { cause });
}

function resized(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.buffer.transfer(length));
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ProblemError(400, "The body is not valid UTF-8");
  }
}

// Counted before parsing, so that a deep body costs nothing.
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') {
      inString = true;
    } else if (character === "{" || character === "[") {
      deepest = Math.max(deepest, ++depth);
    } else if (character === "}" || character === "]") {
      depth--;
    }
  }
  return deepest;
}
