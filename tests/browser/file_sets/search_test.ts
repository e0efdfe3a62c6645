import { assertEquals, assertMatch } from "@std/assert";
import { withPlainPage } from "../plain_page.ts";
import { quotePart } from "../../../lib/search/query_parts.ts";
import { openSignedIn, withPage } from "../visit.ts";

/** A short table, where its length does not matter: each row costs a browser time. */
const FEW = "/filesets?limit=10";

Deno.test("[browser] file sets: filter, page, sort and go back", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit);
    await page.getByText("5,000 file sets, 1 to 100 shown").waitFor();

    await page.getByText("Export, columns").click();
    await page.getByLabel("Page size").selectOption("25");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("5,000 file sets, 1 to 25 shown").waitFor();
    await page.getByText("Add a condition").click();
    await page.getByLabel("Field", { exact: true }).selectOption("Permission");
    await page.getByLabel("Condition", { exact: true }).selectOption("is not");
    await page.getByLabel("Values or days").fill("READ");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.waitForURL("/filesets?q=-permission:READ&limit=25");
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

Deno.test("[browser] file sets: the page of a missing one links back to the search", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?q=payroll&limit=25");
    const link = page.getByRole("rowheader").first().getByRole("link");
    await link.evaluate((link) => link.setAttribute("href", "/filesets/gone"));
    await link.evaluate((link) => link.removeAttribute("data-open"));
    await link.click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("link", { name: "Back to the search" }).click();
    await page.waitForURL("/filesets?q=payroll&limit=25");
  }));

Deno.test("[e2e] file sets: a condition is added, and facets are links, without JavaScript", () =>
  withPlainPage(async ({ page }) => {
    await page.open(FEW);
    page.fill("Field", "Name");
    page.fill("Condition", "contains");
    await page.press("Add");
    assertMatch(page.shown.getByRole("alert").textContent!, /A value is missing/);
    assertEquals(page.field("Condition").value, "LIKE");
    page.fill("Values or days", "payroll");
    await page.press("Add");
    assertMatch(page.text, /^326 of 5,000 file sets, name contains payroll/m);
    await page.press("Exclude READ");
    assertMatch(page.text, /name contains payroll, permission is not READ, 1 to 10 shown/);
    await page.press("Do not exclude READ");
    await page.press("Next");
    assertMatch(page.text, /name contains payroll, 11 to 20 shown/);
  }));

Deno.test("[e2e] file sets: every issue of a link is named at once", () =>
  withPlainPage(async ({ page }) => {
    await page.open("/filesets?q=colour:EQUALS:red&limit=x&size=3");
    const issues = [...page.shown.getByRole("alert").querySelectorAll("li")];
    assertEquals(issues.map(({ textContent }) => textContent!.split(/ (?:must|is)/)[0]), [
      "limit:",
      "size:",
      "“colour",
    ]);
    await page.press("Search without what is wrong");
    assertMatch(page.text, /^5,000 file sets, 1 to 100 shown/m);
  }));

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
    await page.goto(`/filesets?${new URLSearchParams({ q: `name:${quotePart(name)}` })}`);
    assertEquals(await page.title(), "File sets · Docket");
    await page.getByText(/^1 of 5,001 file sets, [^]* 1 shown$/).waitFor();
  }));
