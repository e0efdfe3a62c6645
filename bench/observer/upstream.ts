/**
 * A program: an upstream service that answers in 5 ms, for any schedule. `PUT /ahead?ms=…` sets its
 * clock ahead. `GET /seen` returns the requests since the last such call, and the most at once.
 */
import { dayRuns } from "./day_runs.ts";
import { serveHere } from "../load.ts";

const ANSWER_MS = 5;

let ahead = 0;
let requests = 0;
let inFlight = 0;
let mostInFlight = 0;

serveHere(async ({ url }) => {
  const { pathname, searchParams } = new URL(url);
  if (pathname === "/ahead") {
    ahead = Number(searchParams.get("ms"));
    return new Response(null, { status: 204 });
  }
  if (pathname === "/seen") {
    const seen = { requests, mostInFlight };
    requests = mostInFlight = 0;
    return Response.json(seen);
  }
  requests++;
  mostInFlight = Math.max(mostInFlight, ++inFlight);
  await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
  inFlight--;
  const now = Date.now() + ahead;
  if (!pathname.endsWith("/history")) {
    // A search, with which Docket checks the token.
    const pageContext = { offset: 0, limit: 1, total: 0 };
    return Response.json({ fileSets: [], count: 0, pageContext });
  }
  const scheduleId = Number(/\/(\d+)\/history$/.exec(pathname)![1]);
  const skip = Number(searchParams.get("skip") ?? 0);
  const limit = Number(searchParams.get("limit") ?? 100);
  return Response.json(dayRuns(scheduleId, now).slice(skip, skip + limit), {
    headers: { date: new Date(now).toUTCString() },
  });
});
