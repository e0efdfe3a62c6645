import { HttpError } from "fresh/errors";
import { MainNavigation, Shell } from "../components/page/shell.tsx";
import { isDocketError } from "../lib/errors.ts";
import { logProblem } from "../server/log/log_problem.ts";
import {
  isProblemError,
  ProblemError,
  problemHeaders,
  problemResponse,
  toProblem,
} from "../server/http/problem.ts";
import { readPreferences } from "../server/schedules/preferences.ts";
import { type Attached, attachedTo } from "../server/program/request_services.ts";
import { mayOpen } from "../server/actions/roles.ts";
import { loadShell } from "../server/pages/page_request.ts";
import { formatZone } from "../components/ui/moment.tsx";
import { currentSession } from "../server/backend/current_session.ts";
import { isInMemory } from "../server/config/settings.ts";
import { handler, page } from "./$_error.ts";

/** Messages by status. The message of an unexpected error stays in the log. */
const MESSAGES: Record<number, { title: string; help: string }> = {
  404: {
    title: "Page not found",
    help: "The address may be mistyped, or the page may have been removed.",
  },
  405: {
    title: "This request is not allowed",
    help: "Open the page through a link instead.",
  },
};
const UNEXPECTED = {
  title: "Something went wrong",
  help: "Docket has logged the error. Try again, or go back to Today.",
};

export const handlers = handler({
  async GET(ctx) {
    const { error, url } = ctx;
    const attached = attachedTo(ctx.req);
    const requestId = attached?.requestId;
    const problem = isProblemError(error) || isDocketError(error) ? toProblem(error) : null;
    const status = problem?.status ?? (error instanceof HttpError ? error.status : 500);
    if (status >= 500 && attached) {
      logProblem(attached.log, toProblem(error), error, ctx.req.signal);
    }
    const headers: Record<string, string> = problem ? { ...problemHeaders(problem) } : {};
    if (url.pathname.startsWith("/api/")) {
      const detail = status === 404
        ? "The interface has no such path"
        : "The server could not answer this request";
      return problemResponse(problem ?? toProblem(new ProblemError(status, detail)), requestId);
    }
    const { theme, zone } = readPreferences(ctx.req.headers);
    const advice = problem?.retryAfterSeconds ? " Try again in a moment." : "";
    const said = problem && { title: problem.title, help: `${problem.detail}.${advice}` };
    // A link can't send a form again.
    const again = status >= 500 && ctx.req.method === "GET" ? url.pathname + url.search : null;
    const inMemory = attached !== undefined && isInMemory(attached.services.settings);
    const navigation = status < 500 && attached
      ? await loadNavigation(ctx.req, url, attached)
      : null;
    return {
      data: { status, requestId, theme, zone, said, again, inMemory, navigation },
      status,
      headers,
    };
  },
});

/** The navigation, for who is signed in. The error may have come before the session was read. */
async function loadNavigation(
  { headers }: Request,
  { origin, pathname }: URL,
  { services, requestId, log }: Attached,
) {
  try {
    const own = services.settings.publicOrigin ?? origin;
    const signedIn = await currentSession(headers, own, services, { requestId });
    if (signedIn === null) return null;
    const { role } = signedIn;
    const shell = role === "user" ? null : await loadShell(services, null, log);
    const openIncidents = shell?.openIncidents;
    return { pathname, openIncidents, mayOpen: (href: string) => mayOpen(role, href) };
  } catch {
    return null;
  }
}

export default page(({ data }) => {
  const { title, help } = data.said ?? MESSAGES[data.status] ?? UNEXPECTED;
  return (
    <Shell
      title={title}
      theme={data.theme}
      inMemory={data.inMemory}
      header={data.navigation && (
        <MainNavigation {...data.navigation} zone={formatZone(data.zone)} />
      )}
    >
      <h1>{title}</h1>
      <p>{help}</p>
      <p class="row">
        {data.again && <a class="button main" href={data.again}>Try again</a>}
        <a class="button" href="/">Today</a>
      </p>
      {data.status >= 500 && data.requestId && (
        <p class="help">
          Request <code>{data.requestId}</code>
        </p>
      )}
    </Shell>
  );
});
