import { assertEquals } from "@std/assert";
import { RunSearch } from "../../islands/RunSearch.tsx";
import { withLoads } from "./loads.ts";

/** What the server renders of a search: the form, the charts and the runs. */
function partsOf(query: string, result: string): string {
  return `<div id="search-form"><form id="query-form" method="post" action="/schedules/102#runs">
      <label>Query <input id="q" name="q" value="${query}"></label>
      <button>Search</button></form></div>
    <div id="run-chart">charts of ${result}</div><div id="search-tools"></div>
    <div id="search-found">runs of ${result}</div><p id="search-result" class="past">${result}</p>`;
}

Deno.test("RunSearch: sends a query by POST, for its addresses, and dims stale rows", () =>
  withLoads(async (page, { asked, answer }) => {
    history.replaceState(null, "", "/schedules/102");
    document.body.insertAdjacentHTML("beforeend", partsOf("", "400 runs"));
    await page.draw(<RunSearch scheduleId={102} serviceZone="UTC" zone="UTC" />);
    const search = async (query: string) => {
      await page.type("#q", query);
      page.find<HTMLFormElement>("#query-form").requestSubmit();
      await page.settled();
      const status = page.find("#search-result");
      const isStale = "stale" in page.find("#search-found").dataset;
      return [status.className, status.textContent, isStale];
    };
    answer({});
    const failed = "The runs could not be loaded. Try again";
    assertEquals(await search("took:>5m"), ["result", failed, true]);
    const responseURL = "https://docket.example/schedules/102?q=recipient:7";
    answer({ responseURL, html: partsOf("recipient:7", "3 runs") });
    assertEquals(await search("recipient:ann@example.com"), ["past", "3 runs", false]);
    assertEquals(asked[1], "POST /schedules/102 q=recipient%3Aann%40example.com");
    assertEquals(location.search, "?q=recipient:7");
    assertEquals(page.find<HTMLInputElement>("#q").value, "recipient:7");
    assertEquals(page.texts("#run-chart"), ["charts of 3 runs"]);
  }));
