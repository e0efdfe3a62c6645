import { assert, assertEquals, assertMatch } from "@std/assert";
import { AutoRefresh } from "../../islands/AutoRefresh.tsx";
import { PlanPreview } from "../../islands/PlanPreview.tsx";
import type { BrowserPage } from "../components/browser_page.ts";
import { htmlOf } from "../components/rendered.ts";
import { withLoads } from "./loads.ts";

const draw = (page: BrowserPage) => page.draw(<AutoRefresh zone="UTC" />);

Deno.test("AutoRefresh: refreshes every 30 s until paused, also after a reload", () =>
  withLoads(async (page, { asked, waits, pass }) => {
    assertEquals(htmlOf(<AutoRefresh zone="UTC" />), "");
    document.body.insertAdjacentHTML(
      "beforeend",
      '<div id="list" data-refreshed><a href="/1">old</a></div>',
    );
    await draw(page);
    const shown = ["button", "[role=status]"].map((element) => page.texts(element));
    assertEquals([shown, waits()], [[["Pause updates"], [""]], [30_000]]);
    page.find("#list a").focus();
    await pass({
      html: '<div id="list" data-refreshed><a href="/0">first</a><a href="/1">new</a></div>',
    });
    assertEquals(asked, ["GET https://docket.example/filesets?q=payroll"]);
    assertEquals(page.texts("#list a"), ["first", "new"]);
    assertEquals(document.activeElement!.textContent, "new");
    assertMatch(page.texts("button + span")[0], /^Updated \d\d:\d\d UTC$/);
    await press(page);
    assertEquals([page.texts("button"), waits()], [["Resume updates"], []]);
    await page.draw(null);
    await draw(page);
    assertEquals([page.texts("button"), waits()], [["Resume updates"], []]);
    await press(page);
    assertEquals(waits(), [30_000]);
  }));

async function press(page: BrowserPage): Promise<void> {
  page.find("button").click();
  await page.settled();
}

Deno.test("AutoRefresh: announces only changes, and refreshes sooner while something is in progress", () =>
  withLoads(async (page, { waits, pass }) => {
    const html = (words: string, busy = "") =>
      `<div id="list" data-refreshed><p data-announced>${words}</p><p ${busy}>checked a while ago</p></div>`;
    document.body.insertAdjacentHTML("beforeend", html("All is well", "data-busy"));
    await draw(page);
    assertEquals(waits(), [2000]);
    await pass({ html: html("All is well") });
    assertEquals([page.texts("[role=status]"), waits()], [[""], [30_000]]);
    await pass({ html: html("Open claims failed") });
    assertEquals(page.texts("[role=status]"), ["Open claims failed"]);
    await pass({ html: html("Open claims failed") });
    assertEquals(page.texts("[role=status]"), [""]);
  }));

Deno.test("AutoRefresh: after a failure, keeps the part, says when it retries, and waits as asked", () =>
  withLoads(async (page, { waits, pass }) => {
    document.body.insertAdjacentHTML("beforeend", '<div id="list" data-refreshed>old</div>');
    await draw(page);
    const said = () => page.texts("[role=status]")[0].replaceAll(/\d\d:\d\d/g, "…");
    await pass({
      status: 503,
      html: '<div id="list" data-refreshed>error</div>',
      retryAfter: "90",
    });
    assertEquals([said(), waits()], ["Update failed at … UTC. Next attempt at … UTC.", [90_000]]);
    await pass({ html: "<p>no list</p>", retryAfter: "7200" });
    assertEquals([page.texts("#list"), waits()], [["old"], [3_600_000]]);
    for (const answer of [{ status: 401 }, { responseURL: "https://docket.example/sign-in" }]) {
      await pass(answer);
      assertEquals(
        said(),
        "Update failed at … UTC. Next attempt at … UTC. You are no longer signed in. Sign in again",
      );
    }
    await pass({ responseURL: "", status: 0 });
    assertEquals(said(), "Update failed at … UTC. Next attempt at … UTC.");
    await pass({ html: '<div id="list" data-refreshed>new</div>' });
    assertEquals([page.texts("#list"), waits()], [["new"], [30_000]]);
  }));

Deno.test("AutoRefresh: fields keep what was typed and chosen, and the focus", () =>
  withLoads(async (page, { pass, waits }) => {
    const html = (text: string) =>
      `<div id="a" data-refreshed>${text}<form><input name="name" value="">` +
      ["1", "2"].map((id) => `<input type="checkbox" name="id" value="${id}">`).join("") +
      `</form></div><div id="b" data-refreshed>${text}</div>`;
    document.body.insertAdjacentHTML("beforeend", html("old"));
    await draw(page);
    const shown = () => [page.texts("#a"), page.texts("#b")].flat();
    const name = () => page.find<HTMLInputElement>("#a input");
    const input = name();
    input.focus();
    input.value = "Ad";
    const boxes = () => [...document.querySelectorAll<HTMLInputElement>("[name=id]")];
    boxes()[1].checked = true;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await pass({ html: html("too soon") });
    assertEquals([shown(), waits()], [["old", "old"], [10_000]]);
    // Paused and resumed: as if the time were over.
    await press(page);
    await press(page);
    await pass({ html: html("new") });
    assertEquals([shown(), name().value], [["new", "new"], "Ad"]);
    assertEquals(boxes().map(({ checked }) => checked), [false, true]);
    assert(document.activeElement === name());
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
      `<div id="a" data-refreshed>${others}<button>Acknowledge<i>: 101</i></button>` +
      `<div tabindex="0" aria-label="Runs">${others}</div></div>`;
    document.body.insertAdjacentHTML("beforeend", html(""));
    await draw(page);
    for (const selector of ["#a button", "#a [tabindex]"]) {
      page.find(selector).focus();
      const words = document.activeElement!.textContent;
      await pass({ html: html("<button>Acknowledge<i>: 102</i></button><div>new</div>") });
      assertEquals(document.activeElement!.localName, page.find(selector).localName);
      if (words) assertEquals(document.activeElement!.textContent, words);
    }
  }));

Deno.test("AutoRefresh: requests nothing while the page is hidden, or without parts", () =>
  withLoads(async (page, { pass, waits }) => {
    await draw(page);
    assertEquals([page.texts("button"), waits()], [[], []]);
    await page.draw(null);
    document.body.insertAdjacentHTML("beforeend", "<div data-refreshed id=list></div>");
    await draw(page);
    assertEquals(waits(), [30_000]);
    const show = (visibilityState: string) => {
      Object.defineProperty(document, "visibilityState", {
        value: visibilityState,
        configurable: true,
      });
      document.dispatchEvent(new Event("visibilitychange"));
      return waits();
    };
    assertEquals(show("hidden"), []);
    assertEquals(show("visible"), [30_000]);
    // As when a scan has ended.
    await pass({ html: '<div id="list"></div>' });
    assertEquals([page.texts("button"), waits()], [[], []]);
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

Deno.test("PlanPreview: previews what was typed before it loaded", () =>
  withLoads(async (page, { waits }) => {
    document.body.insertAdjacentHTML("beforeend", PLAN);
    page.find<HTMLInputElement>("#grace").value = "6";
    await page.draw(<PlanPreview form="plan" parts={["slots"]} />);
    assertEquals(waits().length, 1);
    await page.draw(null);
    assertEquals(waits(), []);
  }));
