import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { within } from "@testing-library/dom";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../../eventually.ts";
import { withPlainPage } from "../plain_page.ts";
import { openSignedIn, testSteps, untilLive, withPage } from "../visit.ts";

/** A short table, where its length does not matter: each row costs a browser time. */
const FEW = "/filesets?limit=10";

/** Opens the editor that adds a condition on a field. */
async function addFilter(page: Page, field: string): Promise<void> {
  await page.getByRole("link", { name: "Add filter" }).click();
  const fields = page.getByRole("navigation", { name: "Field to filter by" });
  await fields.getByRole("link", { name: field, exact: true }).click();
}

Deno.test("[browser] file sets: filter, page, sort and go back", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit);
    await page.getByText("5,000 file sets, 1 to 100 shown").waitFor();

    await page.getByText("Columns…").click();
    await page.getByLabel("Page size").selectOption("25");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("5,000 file sets, 1 to 25 shown").waitFor();
    await addFilter(page, "Permission");
    await page.getByLabel("Permission", { exact: true }).first().selectOption("is not");
    await page.getByRole("checkbox", { name: "READ" }).check();
    await page.getByRole("button", { name: "Apply", exact: true }).first().click();
    await page.waitForURL("/filesets?filter=!permission:EQUALS:READ&limit=25");
    const chip = page.getByRole("link", { name: "Remove: permission is not READ" });
    await chip.waitFor();
    const rows = page.getByRole("row");
    await page.getByText(/^[\d,]+ of 5,000 file sets, permission is not READ, 1 to 25 shown$/)
      .waitFor();
    assertEquals(await rows.count(), 26);
    assertEquals(await page.getByRole("cell", { name: "READ", exact: true }).count(), 0);

    const firstName = await rows.nth(1).getByRole("rowheader").textContent();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText(/26 to 50 shown/).waitFor();
    assertEquals(new URL(page.url()).searchParams.get("offset"), "25");
    await page.getByRole("columnheader", { name: /^Updated/ }).first().getByRole("link")
      .click();
    await page.getByText(/1 to 25 shown/).waitFor();
    assertEquals(
      await page.getByRole("columnheader", { name: /^Updated/ }).first()
        .getAttribute("aria-sort"),
      "ascending",
    );

    await page.goBack();
    await page.getByText(/26 to 50 shown/).waitFor();
    await page.goBack();
    await page.getByText(/1 to 25 shown/).waitFor();
    assertEquals(await rows.nth(1).getByRole("rowheader").textContent(), firstName);

    await chip.click();
    await page.waitForURL("/filesets?limit=25");
    await page.getByText("5,000 file sets, 1 to 25 shown").waitFor();
  }));

Deno.test("[browser] file sets: a date filter means whole days in UTC", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    await addFilter(page, "Created");
    await page.getByLabel("From").fill("2025-01-01");
    await page.getByLabel("To", { exact: true }).fill("2025-01-31");
    await page.getByRole("button", { name: "Apply", exact: true }).first().click();
    const words = "created from 2025-01-01 to 2025-01-31";
    await page.getByRole("link", { name: `Remove: ${words}` }).waitFor();
    assertEquals(
      new URL(page.url()).searchParams.get("date"),
      "created:2025-01-01T00:00:00Z..2025-02-01T00:00:00Z",
    );
    assert(await page.getByRole("row").count() > 2);
  }));

Deno.test("[browser] file sets: a search that the service rejects keeps what was asked", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    await page.getByLabel("Query").fill("colour:EQUALS:red");
    await page.getByRole("button", { name: "Search" }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assertMatch(await alert.textContent(), /“colour is red”, field: must be one of id, name/);
    assertEquals(await page.getByLabel("Query").inputValue(), "colour:EQUALS:red");
    await page.getByRole("link", { name: "Remove: colour is red" }).click();
    await page.getByText("5,000 file sets, 1 to 10 shown").waitFor();
    assertEquals(await alert.count(), 0);
  }));

Deno.test("[browser] file sets: half a condition is reported, and stays typed", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    await addFilter(page, "Name");
    const operator = page.getByLabel("Name", { exact: true }).first();
    await operator.selectOption("contains");
    await page.getByRole("button", { name: "Apply", exact: true }).first().click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assertMatch(await alert.textContent(), /Value: is required/);
    assertEquals(await operator.inputValue(), "LIKE");
    await page.getByLabel("Value", { exact: true }).fill("payroll");
    await page.getByRole("button", { name: "Apply", exact: true }).first().click();
    await page.getByText(/^326 of 5,000 file sets, name contains payroll/).waitFor();
  }));

Deno.test("[browser] file sets: a chip is edited, negated, switched off and on", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?filter=permission:EQUALS:READ&sort=updated&limit=10");
    const query = page.getByLabel("Query");
    const edit = (text: string) => page.getByRole("link", { name: `Edit: ${text}` }).click();
    await edit("permission is READ");
    await page.getByRole("link", { name: "Negate" }).click();
    await page.getByText(/file sets, permission is not READ, oldest updated first/).waitFor();
    assertEquals(await query.inputValue(), "-permission:READ sort:updated");
    await page.getByRole("link", { name: "Reverse: sorted by updated, ascending" }).click();
    await page.getByText(/permission is not READ, newest updated first/).waitFor();

    await edit("permission is not READ");
    const value = (name: string) => page.getByRole("checkbox", { name });
    assertEquals(await value("READ").isChecked(), true);
    await value("READ").uncheck();
    await value("WRITE").check();
    await page.getByLabel("Other value").fill("SHARE");
    await page.getByRole("button", { name: "Apply", exact: true }).first().click();
    await page.getByText(/permission is not WRITE or SHARE, newest/).waitFor();

    await edit("permission is not WRITE or SHARE");
    await page.getByRole("link", { name: "Switch off" }).click();
    await page.getByText("5,000 file sets, newest updated first, 1 to 10 shown").waitFor();
    assertEquals(await query.inputValue(), "sort:-updated");
    await page.reload();
    await page.getByRole("link", { name: "Switch on: permission is not WRITE or SHARE" }).click();
    await page.getByText(/permission is not WRITE or SHARE, newest/).waitFor();
    await page.getByRole("link", { name: "Remove: permission is not WRITE or SHARE" }).click();
    await page.getByText("5,000 file sets, newest updated first, 1 to 10 shown").waitFor();
  }));

Deno.test("[browser] file sets: facets include, exclude and are taken back", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    const owner = page.getByRole("region", { name: "Owner" });
    const permission = page.getByRole("region", { name: "Permission" });
    const count = await owner.getByRole("listitem").filter({ hasText: "Finance" })
      .locator(".number").textContent();
    await owner.getByRole("link", { name: "Finance", exact: true }).click();
    await page.getByText(new RegExp(`^${count} of 5,000 file sets, owner is Finance`)).waitFor();
    await permission.getByRole("link", { name: "Exclude READ" }).click();
    await page.getByText(/owner is Finance, permission is not READ, 1 to/).waitFor();
    // The owners of everything else that is asked for.
    await owner.getByRole("link", { name: "Legal", exact: true }).click();
    await page.getByText(/file sets, owner is Finance or Legal, permission is not READ/)
      .waitFor();
    assertEquals(
      new URL(page.url()).search,
      "?filter=owner:EQUALS:Finance,Legal&filter=!permission:EQUALS:READ&limit=10",
    );
    await owner.getByRole("link", { name: "Finance", exact: true }).click();
    await page.getByText(/file sets, owner is Legal, permission is not READ/).waitFor();
    await permission.getByRole("link", { name: "Do not exclude READ" }).click();
    await page.getByText(/file sets, owner is Legal, 1 to/).waitFor();
    const updated = page.getByRole("region", { name: "Updated" });
    await updated.getByRole("link", { name: "Last year", exact: true }).click();
    await page.getByText(/file sets, owner is Legal, updated last year, 1 to/).waitFor();
    assertEquals(new URL(page.url()).searchParams.get("date"), "updated:last-year");
  }));

Deno.test("[browser] file sets: one of them has a page of its own", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    const link = page.getByRole("rowheader").first().getByRole("link");
    const name = await link.textContent();
    await link.click();
    // It opens beside the table first.
    await page.waitForURL(/&open=[0-9a-f-]{36}$/);
    await page.getByRole("link", { name: "Open page" }).click();
    await page.waitForURL(/\/filesets\/[0-9a-f-]{36}$/);
    assertEquals(await page.getByRole("heading", { level: 1 }).textContent(), name);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    assertEquals(await page.getByText(id, { exact: true }).count(), 1);
    await page.goto("/filesets/nothing");
    assertMatch(await page.getByRole("alert").textContent(), /No file set has the id “nothing”/);
  }));

Deno.test("[browser] file sets: a missing one leads back to its search", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?filter=name:LIKE:payroll&limit=25");
    const link = page.getByRole("rowheader").first().getByRole("link");
    await link.evaluate((link) => link.setAttribute("href", "/filesets/gone"));
    await link.evaluate((link) => link.removeAttribute("data-open"));
    await link.click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("link", { name: "Back to the search" }).click();
    await page.waitForURL("/filesets?filter=name:LIKE:payroll&limit=25");
  }));

Deno.test("[e2e] file sets: a condition is made in the editor, and facets are links, without JavaScript", () =>
  withPlainPage(async ({ page }) => {
    await page.open(FEW);
    await page.press("Add filter");
    const fields = page.shown.getByRole("navigation", { name: "Field to filter by" });
    await page.press(within(fields).getByText("Name"));
    page.fill(/^Name$/, "contains");
    await page.press(page.shown.getAllByRole("button", { name: "Apply" })[0]);
    assertMatch(page.shown.getByRole("alert").textContent!, /Value: is required/);
    assertEquals(page.field(/^Name$/).value, "LIKE");
    page.fill(/^Value$/, "payroll");
    await page.press(page.shown.getAllByRole("button", { name: "Apply" })[0]);
    assertMatch(page.text, /^326 of 5,000 file sets, name contains payroll/m);
    await page.press("Exclude READ");
    assertMatch(page.text, /name contains payroll, permission is not READ, 1 to 10 shown/);
    await page.press("Do not exclude READ");
    await page.press("Next");
    assertMatch(page.text, /name contains payroll, 11 to 20 shown/);
  }));

Deno.test("[e2e] file sets: every issue of a link is named at once", () =>
  withPlainPage(async ({ page }) => {
    await page.open("/filesets?filter=colour:EQUALS:red&limit=x&size=3");
    const issues = [...page.shown.getByRole("alert").querySelectorAll("li")];
    assertEquals(issues.map(({ textContent }) => textContent!.split(/ (?:must|is)/)[0]), [
      "limit:",
      "size:",
      "“colour",
    ]);
    await page.press("Search without it");
    assertMatch(page.text, /^5,000 file sets, 1 to 100 shown/m);
  }));

Deno.test("[e2e] file sets: nothing found is said, with a way out", () =>
  withPlainPage(async ({ page }) => {
    await page.open("/filesets?filter=name:EQUALS:nothing");
    assertStringIncludes(page.text, "No file sets match.");
    await page.press("show all file sets");
    assertStringIncludes(page.text, "5,000 file sets, 1 to 100 shown");
    await page.open("/filesets?offset=9000");
    assertStringIncludes(page.text, "This page would start at number 9,001");
    await page.press("Go to the last page");
    assertStringIncludes(page.text, "5,000 file sets, 4,901 to 5,000 shown");
    await page.open("/filesets?filter=owner:EQUALS:Legal&limit=7777");
    assertStringIncludes(page.text, "limit: must be a whole number from 1 to 1000");
    await page.press("Search with 1,000 a page");
    assertMatch(page.text, /owner is Legal, 1 to 375 shown$/m);
  }));

testSteps("[browser] file sets: in one document, with the focus kept", {}, {
  "filtering and paging load no page": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit);
    await page.getByText("5,000 file sets").waitFor();
    await page.evaluate(() => document.body.dataset.sameDocument = "yes");
    await addFilter(page, "Owner");
    await page.getByRole("checkbox", { name: "Finance" }).check();
    await page.getByRole("button", { name: "Apply", exact: true }).first().click();
    await page.getByRole("link", { name: "Remove: owner is Finance" }).waitFor();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("101 to 200 shown").waitFor();
    await page.goBack();
    await page.getByText("1 to 100 shown").waitFor();
    assertEquals(await page.evaluate(() => document.body.dataset.sameDocument), "yes");
  },

  "focus stays on the link that pages, and near a removed chip": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?filter=permission:EQUALS:READ&limit=10");
    const next = page.getByRole("link", { name: "Next" });
    await next.focus();
    await page.keyboard.press("Enter");
    await page.getByText("11 to 20 shown").waitFor();
    // The focus is set once the rows are shown.
    const isFocused = (element: Locator) =>
      eventually(async () =>
        assertEquals(await element.evaluate((node) => node === document.activeElement), true)
      );
    await isFocused(next);
    await page.getByRole("link", { name: "Remove: permission is READ" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("5,000 file sets, 1 to 10 shown").waitFor();
    await isFocused(page.getByRole("status").first());
  },

  "focus falls to the result when a link of the page is spent": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/nowhere");
    for (const name of ["Last", "Clear all", "show all file sets"]) {
      const nothing = name === "show all file sets" ? "&filter=name:EQUALS:nothing" : "&sort=name";
      await page.goto(`/filesets?filter=permission:EQUALS:READ&limit=10${nothing}`);
      await page.getByRole("link", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.getByText(/[\d,]+ to [\d,]+ shown/).waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "status");
    }
  },

  "editors open and close by keyboard, and the focus goes along": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    await page.getByLabel("Query").fill("audit");
    await page.getByRole("link", { name: "Add filter" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Description", exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === "Name");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.id === "new-operator");
    // What was typed and not sent yet is still there, and part of what is applied.
    assertEquals(await page.getByLabel("Query").inputValue(), "audit");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.getByText(/^\d+ of 5,000 file sets, name contains audit, owner is [\w ]+, 1 to/)
      .waitFor();
    await page.waitForFunction(() => document.activeElement !== document.body);
    assertMatch(await page.getByLabel("Query").inputValue(), /^audit owner:\S+/);
  },

  "an error of the query is selected where it is": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    const query = page.getByLabel("Query");
    await query.fill("owner:Finance colour:red");
    await query.press("Enter");
    await page.getByRole("alert").waitFor();
    const selected = await query.evaluate((element) => {
      const { value, selectionStart, selectionEnd } = element as HTMLInputElement;
      return value.slice(selectionStart!, selectionEnd!);
    });
    assertEquals(selected, "colour");
  },

  "a mistyped query survives a reload": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?filter=owner:EQUALS:Legal&limit=10");
    await page.getByLabel("Query").fill("payroll sort:");
    await page.getByLabel("Query").press("Enter");
    await page.getByRole("alert").waitFor();
    assertEquals(await page.getByRole("row").count(), 0);
    await page.reload();
    await page.getByRole("alert").waitFor();
    assertEquals(await page.getByLabel("Query").inputValue(), "payroll sort:");
  },

  "one menu is open at a time, and Escape closes it and the editor": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    await page.getByText("Columns…").click();
    await page.getByText("Copy as…").click();
    const open = page.locator(".tools .menu[open] summary");
    assertEquals(await open.allTextContents(), ["Copy as…"]);
    await page.keyboard.press("Escape");
    assertEquals(await open.count(), 0);
    await page.getByRole("link", { name: "Add filter" }).click();
    const editor = page.getByRole("navigation", { name: "Field to filter by" });
    await editor.waitFor();
    await page.keyboard.press("Escape");
    await editor.waitFor({ state: "detached" });
    await page.waitForURL((url) => !url.searchParams.has("add"));
  },
});

Deno.test("[browser] file sets: names that look like code stay text, and the page works", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    const name = `$' $\` $& </script><script>document.title="ran"</script> \u2028 "quotes' <b>`;
    const at = "2026-01-01T00:00:00Z";
    await services.store!.put({
      fileSets: [{
        id: "00000000-0000-4000-8000-000000000000",
        name,
        created: at,
        createdBy: 1,
        updated: at,
        updatedBy: 1,
        owner: name,
        permission: "READ",
        fileCount: 1,
      }],
    } as never);
    await openSignedIn(visit, "/filesets?limit=25&sort=id");
    assertEquals(await page.getByRole("rowheader").first().textContent(), name);
    await page.evaluate(() => document.body.dataset.sameDocument = "yes");
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("26 to 50 shown").waitFor();
    assertEquals(await page.evaluate(() => document.body.dataset.sameDocument), "yes", "hydrated");
    assertEquals(await page.title(), "File sets · Docket");
    await page.goto(
      `/filesets?${new URLSearchParams({ filter: `name:EQUALS:${encodeURIComponent(name)}` })}`,
    );
    assertEquals(await page.title(), "File sets · Docket");
    await page.getByText(/^1 of 5,001 file sets, [^]* 1 shown$/).waitFor();
  }));

Deno.test("[browser] file sets: what could not be loaded is asked for again by Try again and by Search", () =>
  withPage({ tolerated: /net::ERR_FAILED/ }, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    const search = page.getByRole("button", { name: "Search" });
    for (const again of [page.getByRole("button", { name: "Try again" }), search]) {
      await page.goto(FEW);
      await untilLive(page);
      await page.route("**/filesets?*q=payroll**", (route) => route.abort());
      await page.getByLabel("Query").fill("payroll");
      await search.click();
      await page.getByText("The file sets could not be loaded.").waitFor();
      await page.unrouteAll();
      await again.click();
      await page.getByText(/^\d+ of 5,000 file sets, name contains payroll, 1 to 10 shown$/)
        .waitFor();
    }
  }));

Deno.test("[browser] file sets: a page starts without Intl's number formats, for which a slow phone waits", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await page.addInitScript(() => {
      Intl.NumberFormat = class extends Intl.NumberFormat {
        constructor(...parts: ConstructorParameters<typeof Intl.NumberFormat>) {
          super(...parts);
          console.error("Made a number format");
        }
      } as typeof Intl.NumberFormat;
    });
    await openSignedIn(visit);
    await untilLive(page);
    await page.getByText("5,000 file sets, 1 to 100 shown").waitFor();
  }));
