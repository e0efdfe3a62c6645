import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { signIn, type Visit, withPage } from "../visit.ts";

const HISTORY = "/api/content/v1/reportschedules/101/history?limit=2";
const SEARCH = "/api/files/v1/filesets/search?limit=2";
const HEADER = "X-SERVICE-Developer-Token";

/** Docket is at 127.0.0.1: another port there is the same site, `localhost` is another. */
const NEIGHBOURS = ["127.0.0.1", "localhost"];

/** Opens a page of another origin, on that host, for as long as the test uses it. */
async function withNeighbour(
  { page, origin }: Visit,
  hostname: string,
  test: () => Promise<void>,
): Promise<void> {
  const html = `<!doctype html><html lang="en"><title>Neighbour</title>
    <a href="${origin}/filesets?limit=25">File sets</a>
    <form method="post" action="${origin}/sign-out"><button>Win a prize</button></form>`;
  const init = { headers: { "content-type": "text/html" } };
  const answer = () => new Response(html, init);
  const neighbour = Deno.serve({ hostname, port: 0, onListen: () => {} }, answer);
  try {
    await page.goto(`http://${hostname}:${neighbour.addr.port}/`);
    await test();
  } finally {
    await neighbour.shutdown();
  }
}

/** What a script on the page gets: the status, a count of items and the request's id; or a word. */
async function asScript(page: Page, url: string, init: RequestInit): Promise<unknown> {
  return await page.evaluate(async ([url, init]) => {
    try {
      const response = await fetch(url, init);
      const body = await response.json();
      const items = Array.isArray(body) ? body : body.fileSets ?? [];
      return [response.status, items.length, response.headers.get("x-request-id") !== null];
    } catch {
      return "kept away";
    }
  }, [url, init as { method?: string }] as const);
}

Deno.test("[browser] other sites: a page gets what its own token does, and no more", () =>
  // The browser tells a script's author why it was kept from an answer.
  withPage({ tolerated: /blocked by CORS policy|net::ERR_FAILED/ }, async (visit) => {
    const { page, origin, token } = visit;
    const headers = { [HEADER]: token };
    const json = { ...headers, "content-type": "application/json" };
    const search = { method: "POST", headers: json, body: "{}" };
    await signIn(visit);
    for (const hostname of NEIGHBOURS) {
      await withNeighbour(visit, hostname, async () => {
        assertEquals(await asScript(page, origin + SEARCH, search), [200, 2, true]);
        // Only the browser's own record has the answers that scripts are kept from.
        const statuses: number[] = [];
        const record = await page.context().newCDPSession(page);
        record.on("Network.responseReceivedExtraInfo", (event) => statuses.push(event.statusCode));
        await record.send("Network.enable");
        // Without a question beforehand, so that it does reach the server, cookie and all.
        const bySession = { credentials: "include" } as const;
        assertEquals(await asScript(page, origin + HISTORY, bySession), "kept away");
        assertEquals(statuses, [403]);
        // Nor is a token of its own ever taken together with the browser's cookies.
        const both = { ...bySession, headers };
        assertEquals(await asScript(page, origin + HISTORY, both), "kept away");
        await page.getByRole("button", { name: "Win a prize" }).click();
        await page.getByText("came from another site's page, so it was rejected").waitFor();
        await page.goBack();
        await page.getByRole("link", { name: "File sets" }).click();
        // Still signed in.
        await page.waitForURL(`${origin}/filesets?limit=25`);
      });
    }
  }));
