/** Reads request bodies within limits of size, time and depth. */
import { isProblemError, ProblemError, type ValidationIssue } from "./problem.ts";
import type { Shape } from "./shape.ts";

export const MAX_BODY_BYTES = 1024 * 1024;
/** The most bytes of a form; the longest form has a token and a path. */
const MAX_FORM_BYTES = 64 * 1024;
/** How long a body may take to arrive, but for an uploaded file. */
const ARRIVAL_MS = 10_000;
/** The deepest nesting of a request body; a search needs four levels. */
const MAX_BODY_DEPTH = 8;

/** The JSON value of the body, or a problem with status 400, 408, 413 or 415. */
async function readJsonBody(request: Request): Promise<unknown> {
  requireType(request, "application/json");
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new ProblemError(415, "The body must not be compressed", {
      headers: { "accept-encoding": "identity" },
    });
  }
  const text = decode(await readBytes(request, ARRIVAL_MS, MAX_BODY_BYTES));
  if (text.trim() === "") {
    throw new ProblemError(400, "The body is empty: send JSON, at least {}");
  }
  if (isTooDeep(text)) {
    throw new ProblemError(400, `The body is nested deeper than ${MAX_BODY_DEPTH} levels`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message repeats the input, which may contain anything.
    throw new ProblemError(400, "The body is not valid JSON");
  }
}

/** A file of CSV that is the whole body, or a problem with status 400, 408, 413 or 415. */
export async function readCsvBody(
  request: Request,
  timeoutMs = 60_000,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  requireType(request, "text/csv");
  return ReadableStream.from([await readBytes(request, timeoutMs, MAX_UPLOAD_BYTES)]);
}

/** Reads a body. That it is no JSON is a fault like others. */
export async function readBody<Json>(
  request: Request,
  shape: Shape<Json>,
  faults: ValidationIssue[],
): Promise<Json | undefined> {
  let json: unknown;
  try {
    json = await readJsonBody(request);
  } catch (error) {
    if (!isProblemError(error) || error.problem.status !== 400) throw error;
    faults.push({ pointer: "", detail: error.message });
    return undefined;
  }
  return shape.read(json, "", faults);
}

export async function readFormBody(
  request: Request,
  timeoutMs = ARRIVAL_MS,
  mostBytes = MAX_FORM_BYTES,
): Promise<URLSearchParams> {
  requireType(request, "application/x-www-form-urlencoded");
  return new URLSearchParams(decode(await readBytes(request, timeoutMs, mostBytes)));
}

/** The most bytes of an uploaded file, with the form around it. */
export const MAX_UPLOAD_BYTES = 4 * 1024 * 1024;

/** The fields of a form with a file, or a problem with status 400, 408, 413 or 415. */
export async function readUploadForm(request: Request, timeoutMs = 60_000): Promise<FormData> {
  requireType(request, "multipart/form-data");
  const headers = { "content-type": request.headers.get("content-type")! };
  const bytes = await readBytes(request, timeoutMs, MAX_UPLOAD_BYTES);
  try {
    return await new Response(bytes, { headers }).formData();
  } catch {
    throw new ProblemError(400, "The form can't be read: please choose the file again");
  }
}

export function hasType({ headers }: Request, type: string): boolean {
  return (headers.get("content-type") ?? "").toLowerCase().split(";")[0].trim() === type;
}

function requireType(request: Request, allowed: string): void {
  if (hasType(request, allowed)) return;
  throw new ProblemError(415, `The body must be ${allowed}`, { headers: { accept: allowed } });
}

async function readBytes(
  { headers, body }: Request,
  timeoutMs: number,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new ProblemError(413, `The body is larger than the allowed ${maxBytes} bytes`);
  if (Number(headers.get("content-length") ?? 0) > maxBytes) {
    await body?.cancel();
    throw tooLarge();
  }
  if (!body) return new Uint8Array();
  // One buffer that grows: keeping the chunks would keep a whole block of memory for each.
  const buffer = new ArrayBuffer(0, { maxByteLength: maxBytes });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    for await (const chunk of body.pipeThrough(new TransformStream(), { signal })) {
      const size = buffer.byteLength;
      if (size + chunk.byteLength > maxBytes) throw tooLarge();
      buffer.resize(size + chunk.byteLength);
      new Uint8Array(buffer, size).set(chunk);
    }
  } catch (cause) {
    if (isProblemError(cause)) throw cause;
    throw signal.aborted
      ? new ProblemError(408, `The body did not arrive within ${timeoutMs} ms`)
      : new ProblemError(400, "The body is incomplete", { cause });
  }
  return new Uint8Array(buffer).slice();
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ProblemError(400, "The body is not valid UTF-8");
  }
}

/** Checked before parsing, because parsing a deep body takes long. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  // Not by a regular expression: with a string that never ends, one takes minutes.
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') isInString = !isInString;
    else if (character === "\\") at++;
    else if (isInString) continue;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    if (depth > MAX_BODY_DEPTH) return true;
  }
  return false;
}
