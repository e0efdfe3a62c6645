import { assert, assertEquals } from "@std/assert";
import { RunSearch } from "../../islands/RunSearch.tsx";
import { createTestService } from "../../lib/testing/service.ts";
import type { BrowserPage } from "../components/browser_page.ts";
import { eventually } from "../eventually.ts";
import { type Answer, withLoads } from "./loads.ts";

/** What the server renders of a search: the form, the charts and the runs. */
function partsOf({ text = "", status = "", result = "400 runs", invalid = false } = {}): string {
  return `<form id="run-filter" method="post" action="/schedules/102#runs"><select name="status"><option value="">any</option>
      <option ${status && "selected"}>failure</option></select>
      <label><input type="text" id="text" name="text" value="${text}"
        ${invalid ? 'aria-invalid="true" aria-describedby="text-issue"' : ""}></label>
      <input type="text" id="recipient" name="recipient">
      <details><summary>Other fields</summary><input id="new-value" name="new-value"></details>
      <button>Apply</button></form>
    <div id="run-charts">charts of ${result}</div>
    <div id="run-results"><a href="?sort=duration#runs">Duration${status && " ↑"}</a>
      <a href="/schedules/102/export?format=csv" download>CSV</a>
      <a href="/schedules/102/runs/7">run 7</a> runs of ${result}</div>
    <a href="?elsewhere">elsewhere</a><p id="run-result" tabindex="-1">${result}</p>
    <div id="run-copy">code of ${result}</div>`;
}

const SHOWN = "https://docket.example/schedules/102";

function answerOf(query: string, parts: Parameters<typeof partsOf>[0] = {}): Answer {
  return { responseURL: SHOWN + query, html: partsOf(parts) };
}

type Server = Parameters<Parameters<typeof withLoads>[0]>[1];

/** Shows the search of a schedule's runs, as the server drew it. */
async function withRuns(
  test: (page: BrowserPage, server: Server) => Promise<void>,
  prepare: (page: BrowserPage) => void = () => {},
): Promise<void> {
  const runs = Array.from({ length: 3 }, (_, id) => ({ id, status: id ? "success" : "failure" }));
  const { fetch } = globalThis;
  globalThis.fetch = createTestService({ runs: { 102: runs } }).fetch;
  try {
    await withLoads(async (page, server) => {
      history.replaceState(null, "", "/schedules/102");
      document.body.insertAdjacentHTML("beforeend", partsOf());
      prepare(page);
      await page.draw(
        <RunSearch scheduleId={102} serviceZone="UTC" />,
      );
      await test(page, server);
    });
  } finally {
    globalThis.fetch = fetch;
  }
}

const said = (page: BrowserPage) => page.texts("#run-result")[0];

async function choose(page: BrowserPage, value: string) {
  const select = page.find<HTMLSelectElement>("[name=status]");
  select.value = value;
  select.dispatchEvent(new Event("input", { bubbles: true }));
  select.dispatchEvent(new Event("change", { bubbles: true }));
  await page.settled();
}

/** Clicks on a link, with keys held; whether it was handled in place. */
async function follow(page: BrowserPage, href: string, options?: MouseEventInit) {
  const link = page.find(`a[href="${href}"]`);
  link.focus();
  let isTaken = false;
  document.addEventListener("click", (event) => {
    isTaken = event.defaultPrevented;
    event.preventDefault();
  }, { once: true });
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...options }));
  await page.settled();
  return isTaken;
}

Deno.test("RunSearch: a link of the runs shows its result in place; URL and focus go along", () =>
  withRuns(async (page, { asked, answer }) => {
    page.find<HTMLDetailsElement>("#run-filter details").open = true;
    answer(answerOf("?sort=duration", { result: "37 of 400 runs", status: "failure" }));
    const { length } = history;
    assertEquals(await follow(page, "?sort=duration#runs"), true);
    assertEquals(asked, ["GET /schedules/102?sort=duration"]);
    assertEquals([said(page), location.search], ["37 of 400 runs", "?sort=duration"]);
    assertEquals(history.length, length + 1);
    assertEquals(page.texts("#run-charts, #run-copy"), [
      "charts of 37 of 400 runs",
      "code of 37 of 400 runs",
    ]);
    assertEquals(page.find<HTMLSelectElement>("[name=status]").value, "failure");
    assertEquals(document.activeElement!.textContent, "Duration ↑");
    assert(page.find<HTMLDetailsElement>("#run-filter details").open, "what is open stays open");
  }));

Deno.test("RunSearch: other links, keys held and other buttons are the browser's own", () =>
  withRuns(async (page, { asked }) => {
    for (const key of ["metaKey", "ctrlKey", "altKey", "shiftKey"]) {
      assertEquals(await follow(page, "?sort=duration#runs", { [key]: true }), false, key);
    }
    assertEquals(await follow(page, "?sort=duration#runs", { button: 1 }), false);
    assertEquals(await follow(page, "/schedules/102/runs/7"), false);
    assertEquals(await follow(page, "?elsewhere"), false);
    assertEquals(asked, []);
  }));

Deno.test("RunSearch: a choice is sent at once, a text after a pause, a new condition with Enter", () =>
  withRuns(async (page, { asked, answer, waits, pass }) => {
    answer(answerOf("?filter=status:EQUALS:failure", { status: "failure" }));
    await choose(page, "failure");
    assertEquals(asked.splice(0), [
      "POST /schedules/102 status=failure&text=&recipient=",
    ]);
    assertEquals(location.search, "?filter=status:EQUALS:failure");
    await page.type("#recipient", "Ann");
    await page.type("#new-value", "40");
    assertEquals([asked, waits()], [[], []]);
    await page.type("#text", "claims");
    assertEquals([asked.length, waits().length], [0, 1]);
    const { length } = history;
    await pass(answerOf("?filter=text:LIKE:claims", { text: "claims", status: "failure" }));
    assertEquals(asked.splice(0), [
      "POST /schedules/102 status=failure&text=claims&recipient=Ann",
    ]);
    assertEquals(history.length, length, "what is typed adds no step to go back");
    assertEquals(page.find<HTMLInputElement>("#new-value").value, "40");
    // To leave the field that was sent does not send it again.
    page.find("#text").dispatchEvent(new Event("change", { bubbles: true }));
    assertEquals([asked, waits()], [[], []]);
    answer(answerOf("?filter=duration"));
    page.find<HTMLFormElement>("#run-filter").requestSubmit();
    await page.settled();
    assertEquals(asked, [
      "POST /schedules/102 status=failure&text=claims&recipient=&new-value=40",
    ]);
    assertEquals(history.length, length + 1);
  }));

Deno.test("RunSearch: what is typed while an answer comes stays, with what is wrong beside it", () =>
  withRuns(async (page, { asked, answer, release, pass }) => {
    answer({ ...answerOf("?a"), isHeld: true });
    await choose(page, "failure");
    assertEquals(said(page), "Loading…");
    const input = page.find("#text");
    input.focus();
    await page.type("#text", "x");
    await release();
    assertEquals([said(page), page.find<HTMLInputElement>("#text").value], ["400 runs", "x"]);
    assertEquals(asked.length, 1);
    const wrong = answerOf("?b", { text: "x", invalid: true });
    await pass({ ...wrong, status: 400 });
    assertEquals(asked.length, 2);
    assertEquals(document.activeElement, input);
    assertEquals(document.querySelectorAll("#run-filter input").length, 3);
    assertEquals(page.texts("#run-filter :is(option, summary, button)"), [
      ...["any", "failure", "Other fields", "Apply"],
    ]);
    assertEquals(
      [input.getAttribute("aria-invalid"), input.getAttribute("aria-describedby")],
      ["true", "text-issue"],
    );
    // What is wrong has no URL of its own.
    assertEquals(location.search, "?a");
    await page.type("#text", "y");
    await pass(answerOf("?c", { text: "y" }));
    assertEquals(input.getAttribute("aria-invalid"), null);
    assertEquals(location.search, "?c");
  }));

Deno.test("RunSearch: a later change replaces an earlier one, and takes along what was submitted", () =>
  withRuns(async (page, { asked, answer, release }) => {
    answer({ ...answerOf("?early", { result: "early" }), isHeld: true });
    await page.type("#new-value", "40");
    page.find<HTMLFormElement>("#run-filter").requestSubmit();
    await page.settled();
    answer(answerOf("?filter=x", { result: "3 runs" }));
    await choose(page, "failure");
    await release();
    assertEquals(asked, [
      "POST /schedules/102 status=&text=&recipient=&new-value=40",
      "POST /schedules/102 status=failure&text=&recipient=&new-value=40",
    ]);
    assertEquals([said(page), location.search], ["3 runs", "?filter=x"]);
  }));

Deno.test("RunSearch: what is typed or clicked while something loads follows when it is shown", () =>
  withRuns(async (page, { asked, answer, release, pass }) => {
    answer({ ...answerOf("?early", { result: "early" }), isHeld: true });
    await choose(page, "failure");
    answer({ ...answerOf("?sort=duration", { result: "37 runs" }), isHeld: true });
    await follow(page, "?sort=duration#runs");
    assertEquals(asked.length, 1);
    await release();
    assertEquals(asked[1], "GET /schedules/102?sort=duration");
    await page.type("#text", "x");
    await release();
    assertEquals([said(page), page.find<HTMLInputElement>("#text").value], ["37 runs", "x"]);
    await pass(answerOf("?filter=x", { result: "3 runs", text: "x" }));
    assertEquals(asked.slice(2), ["POST /schedules/102 status=&text=x&recipient="]);
    assertEquals(said(page), "3 runs");
  }));

Deno.test("RunSearch: a text that stays as typed is not sent again after a link", () =>
  withRuns(async (page, { asked, answer, waits, pass }) => {
    const input = page.find<HTMLInputElement>("#text");
    input.focus();
    await page.type("#text", "2 min");
    await pass(answerOf("?filter=x", { text: "120 s" }));
    assertEquals(input.value, "2 min");
    answer(answerOf("?filter=x&skip=100", { text: "120 s" }));
    await follow(page, "?sort=duration#runs");
    assertEquals([asked.length, waits()], [2, []]);
    assertEquals(page.find<HTMLInputElement>("#text").value, "120 s");
  }));

Deno.test("RunSearch: what could not be loaded can be tried again", () =>
  withRuns(async (page, { asked, answer }) => {
    for (const failed of [{ status: 503, html: "<p>failed</p>" }, { responseURL: "", status: 0 }]) {
      answer(failed);
      await follow(page, "?sort=duration#runs");
      assertEquals(said(page), "The runs could not be loaded. Try again");
      assertEquals(location.search, "");
    }
    answer(answerOf("?sort=duration", { result: "37 runs" }));
    await page.click("Try again");
    assertEquals([said(page), location.search], ["37 runs", "?sort=duration"]);
    assertEquals(asked, Array(3).fill("GET /schedules/102?sort=duration"));
  }));

Deno.test("RunSearch: Back shows the earlier runs, an anchor on the page loads nothing", () =>
  withRuns(async (page, { asked, answer }) => {
    const go = async (path: string) => {
      history.replaceState(null, "", path);
      dispatchEvent(new Event("popstate"));
      await page.settled();
    };
    await go("/schedules/102#runs");
    assertEquals(asked, []);
    answer(answerOf("?skip=100", { result: "others" }));
    await page.type("#text", "x");
    await go("/schedules/102?skip=100");
    assertEquals([asked, said(page)], [["GET /schedules/102?skip=100"], "others"]);
    assertEquals(page.find<HTMLInputElement>("#text").value, "");
  }));

Deno.test("RunSearch: what was typed before it could listen is sent", () =>
  withRuns(async (_page, { asked, pass, waits }) => {
    assertEquals(waits().length, 1);
    await pass(answerOf("?a"));
    assertEquals(asked, ["POST /schedules/102 status=&text=early&recipient="]);
  }, (page) => void (page.find<HTMLInputElement>("#text").value = "early")));

Deno.test("RunSearch: exports what is shown", () =>
  withRuns(async (page) => {
    assertEquals(await follow(page, "/schedules/102/export?format=csv"), true);
    await eventually(() => assertEquals(page.saved.length, 1));
    assertEquals((await page.saved[0].blob.text()).trim().split("\r\n").length, 4);
    assert(/^Saved all 3 rows to .*\.csv\.$/.test(page.texts("[role=status].help").at(-1)!));
  }));
