/** Does once what a form asks for, if it comes twice, as after a double click. */
import { ProblemError } from "../http/problem.ts";
import { hasType, MAX_UPLOAD_BYTES, readFormBody } from "../http/request_body.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

/** The hidden field with a form's key, which is random. */
const FORM_KEY = "form_key";

const WAIT_MS = 10_000;
const POLL_MS = 100;

/**
 * Answers a form by `work`, or, if the same form with the same entries came just before, by the redirect
 * that it led to, also at another instance.
 *
 * @throws {ProblemError} With status 409 if the one before is not answered within ten seconds
 */
export async function answerFormOnce(
  records: Pick<ObserverRecords, "sentForms"> | null,
  request: Request,
  work: () => Promise<Response>,
  waitMs = WAIT_MS,
): Promise<Response> {
  const isForm = request.method === "POST" && hasType(request, "application/x-www-form-urlencoded");
  if (!records || !isForm) return await work();
  const form = await readFormBody(request.clone(), undefined, MAX_UPLOAD_BYTES);
  if (!form.get(FORM_KEY)) return await work();
  const { sentForms } = records;
  const digest = await hashForm(`${new URL(request.url).pathname}\n${form}`);
  const end = Date.now() + waitMs;
  while (!await sentForms.begin(digest, Date.now())) {
    const answer = await sentForms.answer(digest);
    if (answer) return redirect(answer.location, answer.cookies);
    if (Date.now() > end) throw new ProblemError(409, UNKNOWN);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  let location: string | null = null;
  try {
    const response = await work();
    location = response.headers.get("location");
    if (location !== null) {
      await sentForms.finish(digest, { location, cookies: response.headers.getSetCookie() });
    }
    return response;
  } finally {
    // A form with faults is corrected and sent again.
    if (location === null) await sentForms.giveUp(digest);
  }
}

const UNKNOWN = "The same form was sent just before and is not answered yet: open the page again " +
  "to see whether it was done";

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

async function hashForm(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
