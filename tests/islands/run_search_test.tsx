import { assertEquals } from "@std/assert";
import { RunSearch } from "../../islands/RunSearch.tsx";
import { createTestService } from "../../lib/testing/service.ts";
import type { BrowserPage } from "../components/browser_page.ts";
import { type Answer, withLoads } from "./loads.ts";

/** What the server renders of a search: the form, the charts and the runs. */
function partsOf({ query = "", result = "400 runs" } = {}): string {
  return `<div id="search-form"><form id="query-form" method="post" action="/schedules/102#runs">
      <label>Query <input id="q" name="q" value="${query}"></label>
      <details><summary>Other fields</summary><input id="new-value" name="new-value"></details>
      <button>Search</button></form></div>
    <div id="run-chart">charts of ${result}</div>
    <div id="search-tools"><a href="/schedules/102/export?format=csv" download>CSV</a> ${result}</div>
    <div id="search-found"><a href="?sort=took#runs">Duration${query && " ↑"}</a>
      <a href="/schedules/102/runs/7">run 7</a> runs of ${result}</div>
    <a href="?elsewhere">elsewhere</a><p id="search-result" tabindex="-1">${result}</p>`;
}

const SHOWN = "https://docket.example/schedules/102";

function answerOf(query: string, parts: Parameters<typeof partsOf>[0] = {}): Answer {
  return { responseURL: SHOWN + query, html: partsOf(parts) };
}

type Server = Parameters<Parameters<typeof withLoads>[0]>[1];

/** Shows the search of a schedule's runs, as the server drew it. */
async function withRuns(test: (page: BrowserPage, server: Server) => Promise<void>): Promise<void> {
  const runs = Array.from({ length: 3 }, (_, id) => ({ id, status: id ? "success" : "failure" }));
  const { fetch } = globalThis;
  globalThis.fetch = createTestService({ runs: { 102: runs } }).fetch;
  try {
    await withLoads(async (page, server) => {
      history.replaceState(null, "", "/schedules/102");
      document.body.insertAdjacentHTML("beforeend", partsOf());
      await page.draw(<RunSearch scheduleId={102} serviceZone="UTC" zone="UTC" />);
      await test(page, server);
    });
  } finally {
    globalThis.fetch = fetch;
  }
}

const said = (page: BrowserPage) => page.texts("#search-result")[0];

async function search(page: BrowserPage, query: string) {
  await page.type("#q", query);
  page.find<HTMLFormElement>("#query-form").requestSubmit();
  await page.settled();
}

Deno.test("RunSearch: sends a query by POST, as it may contain an address", () =>
  withRuns(async (page, { asked, answer }) => {
    answer(answerOf("?q=recipient:7", { query: "recipient:7", result: "3 runs" }));
    await search(page, "recipient:ann@example.com");
    assertEquals(asked, ["POST /schedules/102 q=recipient%3Aann%40example.com&new-value="]);
    assertEquals([said(page), location.search], ["3 runs", "?q=recipient:7"]);
    assertEquals(page.find<HTMLInputElement>("#q").value, "recipient:7");
  }));

Deno.test("RunSearch: after a failed search the rows are dimmed until another one shows its own", () =>
  withRuns(async (page, { answer }) => {
    const isStale = () => "stale" in page.find("#search-found").dataset;
    assertEquals(isStale(), false);
    answer({});
    await search(page, "took:>5m");
    assertEquals([said(page), isStale()], ["The runs could not be loaded. Try again", true]);
    answer(answerOf("?q=recipient:7", { query: "recipient:7" }));
    await search(page, "recipient:7");
    assertEquals(isStale(), false);
  }));
