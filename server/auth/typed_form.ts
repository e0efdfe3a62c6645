/** What was typed into a form whose session had ended, saved until its page is shown again. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { safeRedirectPath } from "../http/paths.ts";
import { readFormBody } from "../http/request_body.ts";
import type { SealedCookies } from "./sealed_cookies.ts";

const KEPT_SECONDS = 15 * 60;
/** The most bytes of a stored form when unpacked: twice what a request may have. */
const MAX_BYTES = 128 * 1024;

interface KeptForm {
  readonly page: string;
  /** The fields, packed; null if they were too long, or a file. */
  readonly fields: string | null;
  readonly at: number;
}

export interface TypedForm {
  /** What was typed; null if that could not be saved. */
  readonly fields: URLSearchParams | null;
}

interface Place {
  readonly cookies: SealedCookies;
  readonly origin: string;
  readonly now: number;
}

/** Saves the form that a request sends; returns the page that it was sent from. */
export async function keepTypedForm(
  request: Request,
  headers: Headers,
  { cookies, origin, now }: Place,
): Promise<string> {
  const isPlain = /^application\/x-www-form-urlencoded\b/i.test(
    request.headers.get("content-type") ?? "",
  );
  const form = isPlain ? await readFormBody(request) : null;
  if (!form) await request.body?.cancel();
  const from = URL.parse(request.headers.get("referer") ?? "");
  const own = new URL(request.url);
  const page = safeRedirectPath(
    from?.origin === origin ? from.pathname + from.search : own.pathname + own.search,
  );
  const bytes = form && new TextEncoder().encode(JSON.stringify([...form]));
  const fields = bytes && bytes.length <= MAX_BYTES
    ? deflateRawSync(bytes).toString("base64")
    : null;
  const where = { origin, maxAge: KEPT_SECONDS };
  const kept: KeptForm = { page, fields, at: now };
  if (!await cookies.put(headers, "typed", kept, where)) {
    await cookies.put(headers, "typed", { ...kept, fields: null }, where);
  }
  return page;
}

/** The form that was saved for the page of a request; null if there is none. */
export async function readTypedForm(
  { headers }: Request,
  { pathname, search }: URL,
  { cookies, origin, now }: Place,
): Promise<TypedForm | null> {
  const kept = await cookies.read(headers, "typed", origin) as KeptForm | undefined;
  if (kept?.page !== pathname + search || now > kept.at + KEPT_SECONDS * 1000) return null;
  if (kept.fields === null) return { fields: null };
  const packed = Uint8Array.fromBase64(kept.fields);
  const text = inflateRawSync(packed, { maxOutputLength: MAX_BYTES }).toString();
  return { fields: new URLSearchParams(JSON.parse(text) as string[][]) };
}
