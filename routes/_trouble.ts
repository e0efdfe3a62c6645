import type { Trouble } from "../components/notice.tsx";
import { faultWords, troubleOf } from "../components/trouble.ts";
import { isProblemError, problemOf } from "../server/problem.ts";
import type { Services } from "../server/services.ts";
import { reasonOf } from "../server/log.ts";

/** What a page says of an error of the backend, and the status it is answered with. */
export function pageTrouble(
  error: unknown,
  { services, requestId }: { readonly services: Services; readonly requestId: string },
): { readonly trouble: Trouble; readonly status: number } {
  const { status, title, detail, errors } = problemOf(error);
  if (status >= 500) services.log.error(title, { requestId, detail, reason: reasonOf(error) });
  const trouble = isProblemError(error)
    ? {
      title,
      detail: errors.length > 0 ? "What has to be mended:" : `${detail}.`,
      faults: errors.map(faultWords),
    }
    : troubleOf(error);
  return { trouble: { ...trouble, requestId }, status };
}
