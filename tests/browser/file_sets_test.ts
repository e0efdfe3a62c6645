import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { signIn, withPage } from "./visit.ts";

/** Opens the part of the form that adds conditions. */
async function openConditions(page: Page): Promise<void> {
  await page.getByText("Filter, sort and columns").click();
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  Deno.test(`[browser] file sets: filter, page, sort and go back, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit);
      await page.getByText("5,000 file sets, 1 to 100 shown").waitFor();

      await openConditions(page);
      await page.getByLabel("Field", { exact: true }).fill("permission");
      await page.getByLabel("Is or is not", { exact: true }).selectOption("is not");
      await page.getByLabel("Value", { exact: true }).fill("READ");
      await page.getByLabel("Page size").selectOption("25");
      await page.getByRole("button", { name: "Apply" }).click();
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

  Deno.test(`[browser] file sets: a date filter means whole days in UTC, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit);
      await openConditions(page);
      await page.getByLabel("Date field").fill("created");
      await page.getByLabel("From").fill("2025-01-01");
      await page.getByLabel("To", { exact: true }).fill("2025-01-31");
      await page.getByRole("button", { name: "Apply" }).click();
      const words = "created from 2025-01-01 00:00 and before 2025-02-01 00:00 UTC";
      await page.getByRole("link", { name: `Remove: ${words}` }).waitFor();
      assertEquals(
        new URL(page.url()).searchParams.get("date"),
        "created:2025-01-01T00:00:00Z..2025-02-01T00:00:00Z",
      );
      assert(await page.getByRole("row").count() > 2);
    }));

  Deno.test(`[browser] file sets: a search that the service refuses keeps what was asked, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit);
      await openConditions(page);
      await page.getByLabel("Field", { exact: true }).fill("colour");
      await page.getByLabel("Value", { exact: true }).fill("red");
      await page.getByRole("button", { name: "Apply" }).click();
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assertMatch(await alert.textContent(), /condition 1 field: must be one of id, name/);
      await page.getByRole("link", { name: "Remove: colour is red" }).click();
      await page.getByText("5,000 file sets, 1 to 100 shown").waitFor();
      assertEquals(await alert.count(), 0);
    }));

  Deno.test(`[browser] file sets: half a condition is told, and stays typed, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit);
      await openConditions(page);
      const value = page.getByLabel("Value", { exact: true });
      await value.fill("payroll");
      await page.getByRole("button", { name: "Apply" }).click();
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assertMatch(await alert.textContent(), /Field: is required/);
      assertEquals(await value.inputValue(), "payroll");
      await page.getByLabel("Field", { exact: true }).fill("Name");
      await page.getByLabel("Operator", { exact: true }).selectOption("containing");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.getByText(/^326 of 5,000 file sets, name contains payroll/).waitFor();
    }));

  Deno.test(`[browser] file sets: one of them has a page of its own, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit);
      const link = page.getByRole("rowheader").first().getByRole("link");
      const name = await link.textContent();
      await link.click();
      if (javaScriptEnabled) {
        // With JavaScript it opens beside the table first.
        await page.waitForURL(/\?open=[0-9a-f-]{36}$/);
        await page.getByRole("link", { name: "Open page" }).click();
      }
      await page.waitForURL(/\/filesets\/[0-9a-f-]{36}$/);
      assertEquals(await page.getByRole("heading", { level: 1 }).textContent(), name);
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      assertEquals(await page.getByText(id, { exact: true }).count(), 1);
      await page.goto("/filesets/nothing");
      assertMatch(await page.getByRole("alert").textContent(), /No file set has the id nothing/);
    }));

  Deno.test(`[browser] file sets: every issue of a link is named at once, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit, "/filesets?filter=colour:EQUALS:red&limit=x&size=3");
      const issues = await page.getByRole("alert").getByRole("listitem").allTextContents();
      assertEquals(issues.map((issue) => issue.split(/ (?:must|is)/)[0]), [
        "limit",
        "size:",
        "condition 1 field:",
      ]);
    }));

  Deno.test(`[browser] file sets: a missing one leads back to its search, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit, "/filesets?filter=name:LIKE:payroll&limit=25");
      const link = page.getByRole("rowheader").first().getByRole("link");
      await link.evaluate((link) => link.setAttribute("href", "/filesets/gone"));
      await link.evaluate((link) => link.removeAttribute("data-open"));
      await link.click();
      await page.getByRole("alert").waitFor();
      await page.getByRole("link", { name: "Back to the search" }).click();
      await page.waitForURL("/filesets?filter=name:LIKE:payroll&limit=25");
    }));

  Deno.test(`[browser] file sets: nothing found is said, with a way out, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit, "/filesets?filter=name:EQUALS:nothing");
      await page.getByText("No file sets match.").waitFor();
      await page.getByRole("link", { name: "show all file sets" }).click();
      await page.getByText("5,000 file sets, 1 to 100 shown").waitFor();
      await page.goto("/filesets?offset=9000");
      await page.getByText("There are no more file sets.").waitFor();
    }));
}

Deno.test("[browser] file sets: filtering and paging load no page", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await signIn(visit);
    await page.getByText("5,000 file sets").waitFor();
    await page.evaluate(() => document.body.dataset.sameDocument = "yes");
    await openConditions(page);
    await page.getByLabel("Field", { exact: true }).fill("owner");
    await page.getByLabel("Value", { exact: true }).fill("Finance");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("link", { name: "Remove: owner is Finance" }).waitFor();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("101 to 200 shown").waitFor();
    await page.goBack();
    await page.getByText("1 to 100 shown").waitFor();
    assertEquals(await page.evaluate(() => document.body.dataset.sameDocument), "yes");
  }));

Deno.test("[browser] file sets: focus stays on the link that pages, and near a removed chip", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await signIn(visit, "/filesets?filter=permission:EQUALS:READ");
    const next = page.getByRole("link", { name: "Next" });
    await next.focus();
    await page.keyboard.press("Enter");
    await page.getByText("101 to 200 shown").waitFor();
    assertEquals(await next.evaluate((link) => link === document.activeElement), true);
    await page.getByRole("link", { name: "Remove: permission is READ" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("5,000 file sets, 1 to 100 shown").waitFor();
    const focused = page.getByRole("status").first();
    assertEquals(await focused.evaluate((status) => status === document.activeElement), true);
  }));

for (const name of ["Last", "Clear all", "show all file sets"]) {
  Deno.test(`[browser] file sets: focus falls to the result when "${name}" is spent`, () =>
    withPage({}, async (visit) => {
      const { page } = visit;
      const nothing = name === "show all file sets" ? "&filter=name:EQUALS:nothing" : "&sort=name";
      await signIn(visit, `/filesets?filter=permission:EQUALS:READ${nothing}`);
      await page.getByRole("link", { name }).focus();
      await page.keyboard.press("Enter");
      await page.getByText(/[\d,]+ to [\d,]+ shown/).waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "status");
    }));
}

Deno.test("[browser] file sets: two searches in a row lose neither", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await signIn(visit);
    await openConditions(page);
    const add = async (field: string, value: string) => {
      await page.getByLabel("Field", { exact: true }).fill(field);
      await page.getByLabel("Value", { exact: true }).fill(value);
      await page.getByRole("button", { name: "Apply" }).click();
    };
    await page.getByLabel("Page size").selectOption("25");
    await page.route("**/filesets/search**", async (route) => {
      await new Promise((done) => setTimeout(done, 100));
      await route.continue().catch(() => {});
    });
    await add("permission", "READ");
    await add("owner", "Finance");
    await page.getByText(/permission is READ, owner is Finance, 1 to 25 shown/).waitFor();
    assertEquals(
      new URL(page.url()).search,
      "?filter=permission:EQUALS:READ&filter=owner:EQUALS:Finance&limit=25",
    );
    await page.unrouteAll({ behavior: "wait" });
  }));

Deno.test("[browser] file sets: a stale answer never replaces a newer one", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await signIn(visit);
    const next = page.getByRole("link", { name: "Next" });
    await next.waitFor();
    // The page's own fetch is held, deaf to aborts, so that only the island can drop the answer.
    await page.evaluate(() => {
      const { fetch } = globalThis;
      let calls = 0;
      const held = new Promise<void>((resolve) => Object.assign(globalThis, { release: resolve }));
      globalThis.fetch = async (input, init) => {
        const first = ++calls === 1;
        const response = await fetch(input, first ? { ...init, signal: null } : init);
        if (first) await held;
        return response;
      };
    });
    await next.click();
    await page.getByRole("link", { name: "Last" }).click();
    await page.getByText("4,901 to 5,000 shown").waitFor();
    const firstName = await page.getByRole("rowheader").first().textContent();
    await page.evaluate(async () => {
      (globalThis as unknown as { release(): void }).release();
      for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done));
    });
    assertEquals(await page.getByText("4,901 to 5,000 shown").count(), 1);
    assertEquals(await page.getByRole("rowheader").first().textContent(), firstName);
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
    await signIn(visit, "/filesets?limit=25&sort=id");
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
    await page.getByText(/^1 of 5,001 file sets, [^]* 1 to 1 shown$/).waitFor();
  }));
