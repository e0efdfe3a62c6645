import { HttpError } from "fresh/errors";
import { MainNavigation, Shell } from "../components/page/shell.tsx";
import { problemAnswer } from "../server/log/log_problem.ts";
import { ProblemError, toProblem } from "../server/http/problem.ts";
import { readPreferences } from "../server/schedules/preferences.ts";
import { type Attached, attachedTo } from "../server/program/request_services.ts";
import { mayOpen } from "../server/actions/roles.ts";
import { loadShell } from "../server/pages/page_request.ts";
import { formatZone } from "../components/ui/moment.tsx";
import { currentSession } from "../server/backend/current_session.ts";
import { isInMemory } from "../server/config/settings.ts";
import { pageError } from "./_errors.ts";
import { handler, page } from "./$_error.ts";

/** What to say of an address that no route has, or not with this method: on pages, and by the API. */
const PAGE_HELP: Readonly<Record<number, string>> = {
  404: "The address may be mistyped, or the page may have been removed",
  405: "Open the page through a link instead",
};
const API_HELP: Readonly<Record<number, string>> = { 404: "The interface has no such path" };

export const handlers = handler({
  async GET({ error: cause, req, url }) {
    const attached = attachedTo(req);
    // In development, requests don't go through the server's entry.
    const ctx = { req, state: attached ?? { log: console, requestId: "" } };
    const isApi = url.pathname.startsWith("/api/");
    const help = isApi ? API_HELP : PAGE_HELP;
    const thrown = cause instanceof HttpError
      ? new ProblemError(cause.status, help[cause.status] ?? toProblem(cause).detail)
      : cause;
    if (isApi) return problemAnswer(thrown, ctx);
    const { error, status, headers } = pageError(thrown, ctx);
    const { theme, zone } = readPreferences(req.headers);
    const inMemory = attached !== undefined && isInMemory(attached.services.settings);
    const navigation = status < 500 && attached ? await loadNavigation(req, url, attached) : null;
    // A link can't send a form again.
    const mayRetry = error.mayRetry && req.method === "GET";
    const data = { status, error: { ...error, mayRetry }, theme, zone, inMemory, navigation };
    return { data, status, headers };
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

export default page(({ data: { status, error, theme, zone, inMemory, navigation } }) => (
  <Shell
    title={error.title}
    theme={theme}
    inMemory={inMemory}
    header={navigation && <MainNavigation {...navigation} zone={formatZone(zone)} />}
  >
    <h1>{error.title}</h1>
    <p>{error.detail}</p>
    {error.issues.length > 0 && (
      <ul>{error.issues.map((issue) => <li key={issue} class="capital">{issue}</li>)}</ul>
    )}
    <p class="row">
      {error.mayRetry && <a class="button main" href="">Try again</a>}
      {status === 404 && navigation && <a class="button main" href="/go">Search for it</a>}
      <a class="button" href="/">Today</a>
    </p>
    {error.requestId && (
      <p class="help">
        Request <code>{error.requestId}</code>
      </p>
    )}
  </Shell>
));
