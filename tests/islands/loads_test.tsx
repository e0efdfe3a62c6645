import { assert, assertEquals } from "@std/assert";
import { AutoRefresh } from "../../islands/AutoRefresh.tsx";
import { PlanPreview } from "../../islands/PlanPreview.tsx";
import type { BrowserPage } from "../components/browser_page.ts";
import { htmlOf } from "../components/rendered.ts";
import { withLoads } from "./loads.ts";

const choose = async (page: BrowserPage, seconds: number) => {
  const select = page.find<HTMLSelectElement>("#refresh");
  select.value = String(seconds);
  select.dispatchEvent(new Event("change", { bubbles: true }));
  await page.settled();
};

Deno.test("AutoRefresh: refreshes its part at the chosen interval, which the URL keeps", () =>
  withLoads(async (page, { asked, waits, pass }) => {
    assertEquals(htmlOf(<AutoRefresh parts={["list"]} seconds={60} zone="UTC" />), "");
    document.body.insertAdjacentHTML("beforeend", '<div id="list"><a href="/1">old</a></div>');
    await page.draw(<AutoRefresh parts={["list"]} seconds={7} zone="UTC" />);
    assertEquals(page.texts("label"), ["Refresh"]);
    assertEquals(page.texts("option"), ["off", "every 30 s", "every 1 min", "every 5 min"]);
    assertEquals(waits(), []);
    await choose(page, 30);
    assertEquals([location.search, waits()], ["?q=payroll&refresh=30", [30_000]]);
    page.find("#list a").focus();
    await pass({ html: '<div id="list"><a href="/0">first</a><a href="/1">new</a></div>' });
    // At once, so that the part's links know the choice, and when the time is over.
    const address = "GET https://docket.example/filesets?q=payroll&refresh=30";
    assertEquals(asked, [address, address]);
    assertEquals(page.texts("#list a"), ["first", "new"]);
    assertEquals(document.activeElement!.textContent, "new");
    assert(/^Refreshed at \d{4}-\d\d-\d\d \d\d:\d\d UTC$/.test(page.texts("[role=status]")[0]));
    assertEquals(waits(), [30_000]);
    await choose(page, 0);
    assertEquals([location.search, waits()], ["?q=payroll", []]);
  }));

Deno.test("AutoRefresh: what fails leaves the part, says when it tries again, and waits as asked", () =>
  withLoads(async (page, { waits, pass }) => {
    document.body.insertAdjacentHTML("beforeend", '<div id="list">old</div>');
    await page.draw(<AutoRefresh parts={["list"]} seconds={60} zone="UTC" />);
    const said = () => page.texts("[role=status]")[0].replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "…");
    await pass({ status: 503, html: '<div id="list">error</div>', retryAfter: "90" });
    assertEquals([said(), waits()], ["Refresh failed at … UTC. Next attempt at … UTC.", [90_000]]);
    await pass({ html: "<p>no list</p>", retryAfter: "7200" });
    assertEquals([page.texts("#list"), waits()], [["old"], [3_600_000]]);
    for (const answer of [{ status: 401 }, { responseURL: "https://docket.example/sign-in" }]) {
      await pass(answer);
      assertEquals(
        said(),
        "Refresh failed at … UTC. Next attempt at … UTC. You are no longer signed in. Sign in again",
      );
    }
    await pass({ responseURL: "", status: 0 });
    assertEquals(said(), "Refresh failed at … UTC. Next attempt at … UTC.");
    await pass({ html: '<div id="list">new</div>' });
    assertEquals([page.texts("#list"), waits()], [["new"], [60_000]]);
  }));

Deno.test("AutoRefresh: a field keeps what was typed, and the focus", () =>
  withLoads(async (page, { pass }) => {
    const html = (text: string) =>
      `<div id="a">${text}<form><input name="name" value=""></form></div><div id="b">${text}</div>`;
    document.body.insertAdjacentHTML("beforeend", html("old"));
    await page.draw(<AutoRefresh parts={["a", "b"]} seconds={60} zone="UTC" />);
    const shown = () => [page.texts("#a"), page.texts("#b")].flat();
    const name = () => page.find<HTMLInputElement>("#a input");
    const input = name();
    input.focus();
    input.value = "Ad";
    await pass({ html: html("new") });
    assertEquals([shown(), input.value], [["new", "new"], "Ad"]);
    assert(document.activeElement === input);
    name().value = "Ada";
    name().blur();
    await pass({ html: html("newer") });
    assertEquals([shown(), name().value], [["newer", "newer"], "Ada"]);
    await pass({ html: '<div id="a">lone</div>' });
    assertEquals(shown(), ["newer", "newer"]);
  }));

Deno.test("AutoRefresh: the focus stays on the same link, button or frame", () =>
  withLoads(async (page, { pass }) => {
    const html = (others: string) =>
      `<div id="a">${others}<button>Acknowledge<i>: 101</i></button>` +
      `<div tabindex="0" aria-label="Runs">${others}</div></div>`;
    document.body.insertAdjacentHTML("beforeend", html(""));
    await page.draw(<AutoRefresh parts={["a"]} seconds={60} zone="UTC" />);
    for (const selector of ["#a button", "#a [tabindex]"]) {
      page.find(selector).focus();
      const words = document.activeElement!.textContent;
      await pass({ html: html("<button>Acknowledge<i>: 102</i></button><div>new</div>") });
      assertEquals(document.activeElement!.localName, page.find(selector).localName);
      if (words) assertEquals(document.activeElement!.textContent, words);
    }
  }));

Deno.test("AutoRefresh: links take the last choice along, also that of none", () =>
  withLoads(async (page, { answer, release }) => {
    document.body.insertAdjacentHTML("beforeend", '<div id="list"></div>');
    await page.draw(<AutoRefresh parts={["list"]} seconds={0} zone="UTC" />);
    answer({ html: '<div id="list">every 30 s</div>', isHeld: true });
    await choose(page, 30);
    answer({ html: '<div id="list">off</div>' });
    await choose(page, 0);
    assertEquals(page.texts("#list"), ["off"]);
    await release();
    assertEquals(page.texts("#list"), ["off"]);
  }));

Deno.test("AutoRefresh: nothing is asked for while the page is hidden", () =>
  withLoads(async (page, { waits }) => {
    await page.draw(<AutoRefresh parts={["list"]} seconds={300} zone="UTC" />);
    assertEquals(waits(), [300_000]);
    const show = (visibilityState: string) => {
      Object.defineProperty(document, "visibilityState", {
        value: visibilityState,
        configurable: true,
      });
      document.dispatchEvent(new Event("visibilitychange"));
      return waits();
    };
    assertEquals(show("hidden"), []);
    assertEquals(show("visible"), [300_000]);
    await page.draw(null);
    assertEquals([waits(), show("visible")], [[], []]);
  }));

const PLAN =
  '<form id="plan"><input id="grace" name="grace" value="5" aria-describedby="grace-note">' +
  '<p id="grace-note">minutes</p></form><div id="slots">old</div>';

Deno.test("PlanPreview: shows the slots of what was typed, and the errors of fields", () =>
  withLoads(async (page, { asked, waits, pass }) => {
    document.body.insertAdjacentHTML("beforeend", PLAN);
    await page.draw(<PlanPreview form="plan" parts={["slots", "elsewhere"]} />);
    assertEquals([waits(), page.texts("[role=status]")], [[], [""]]);
    await page.type("#grace", "7");
    assertEquals(waits().length, 1);
    await pass({ html: PLAN.replace(">old<", ">new<") });
    assertEquals(asked, ["GET /filesets?grace=7"]);
    assertEquals([page.texts("#slots"), page.texts("[role=status]")], [["new"], [
      "Preview updated.",
    ]]);
    await page.type("#grace", "x");
    await page.type("#grace", "xy");
    assertEquals(waits().length, 1);
    const wrong = PLAN.replace("aria-d", 'aria-invalid="true" aria-d').replace("minutes", "✕ Grace")
      .replace(">old<", ">wrong<");
    await pass({ html: wrong });
    assertEquals(page.find("#grace").getAttribute("aria-invalid"), "true");
    assertEquals(
      [page.texts("#grace-note"), page.texts("#slots"), page.texts("[role=status]")],
      [["✕ Grace"], ["new"], ["The plan has errors: see the fields."]],
    );
    await page.type("#grace", "8");
    await pass({ html: PLAN });
    assertEquals(page.find("#grace").getAttribute("aria-invalid"), null);
    for (const answer of [{ status: 500, html: PLAN }, { html: "" }]) {
      await page.type("#grace", "9");
      await pass(answer);
      assertEquals(page.texts("[role=status]"), [
        "The preview could not be loaded. Press Preview to try again.",
      ]);
    }
  }));

Deno.test("PlanPreview: asks for what was typed before it could listen", () =>
  withLoads(async (page, { waits }) => {
    document.body.insertAdjacentHTML("beforeend", PLAN);
    page.find<HTMLInputElement>("#grace").value = "6";
    await page.draw(<PlanPreview form="plan" parts={["slots"]} />);
    assertEquals(waits().length, 1);
    await page.draw(null);
    assertEquals(waits(), []);
  }));
