/** Saves what was typed into a form whose session had ended, until its page is shown again. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { safeRedirectPath } from "../http/paths.ts";
import { readFormBody } from "../http/request_body.ts";
import type { SealedCookies } from "./sealed_cookies.ts";

const LIFETIME_SECONDS = 15 * 60;
/** The most bytes of a stored form when unpacked: twice what a request may have. */
const MAX_BYTES = 128 * 1024;

interface SavedForm {
  readonly page: string;
  /** The fields, packed; null if they were too long, or a file. */
  readonly fields: string | null;
  readonly savedAt: number;
}

export interface TypedForm {
  /** What was typed; null if that could not be saved. */
  readonly fields: URLSearchParams | null;
}

interface FormStorage {
  readonly cookies: SealedCookies;
  readonly origin: string;
  readonly now: number;
}

/** Saves the form that a request sends; returns the page that it was sent from. */
export async function saveTypedForm(
  request: Request,
  headers: Headers,
  { cookies, origin, now }: FormStorage,
): Promise<string> {
  const isPlain = /^application\/x-www-form-urlencoded\b/i.test(
    request.headers.get("content-type") ?? "",
  );
  const body = isPlain ? await readFormBody(request) : null;
  if (!body) await request.body?.cancel();
  const from = URL.parse(request.headers.get("referer") ?? "");
  const { pathname, search } = from?.origin === origin ? from : new URL(request.url);
  const page = safeRedirectPath(pathname + search);
  const bytes = body && new TextEncoder().encode(JSON.stringify([...body]));
  const fields = bytes && bytes.length <= MAX_BYTES
    ? deflateRawSync(bytes).toString("base64")
    : null;
  const options = { origin, maxAge: LIFETIME_SECONDS };
  const form: SavedForm = { page, fields, savedAt: now };
  if (!await cookies.put(headers, "typed", form, options)) {
    await cookies.put(headers, "typed", { ...form, fields: null }, options);
  }
  return page;
}

export async function readTypedForm(
  { headers }: Request,
  { pathname, search }: URL,
  { cookies, origin, now }: FormStorage,
): Promise<TypedForm | null> {
  const form = await cookies.read(headers, "typed", origin) as SavedForm | undefined;
  if (form?.page !== pathname + search || now > form.savedAt + LIFETIME_SECONDS * 1000) return null;
  if (form.fields === null) return { fields: null };
  const packed = Uint8Array.fromBase64(form.fields);
  const text = inflateRawSync(packed, { maxOutputLength: MAX_BYTES }).toString();
  return { fields: new URLSearchParams(JSON.parse(text) as string[][]) };
}
