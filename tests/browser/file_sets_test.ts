import { assert, assertEquals, assertMatch } from "@std/assert";
import { signIn, withPage } from "./visit.ts";

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  Deno.test(`[browser] file sets: filter, page, sort and go back, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit);
      await page.getByText("5,000 file sets, 1 to 100 shown").waitFor();

      await page.getByLabel("Field", { exact: true }).fill("permission");
      await page.getByLabel("Is or is not", { exact: true }).selectOption("is not");
      await page.getByLabel("Value", { exact: true }).fill("READ");
      await page.getByLabel("Page size").selectOption("25");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.waitForURL("/filesets?filter=!permission:EQUALS:READ&limit=25");
      const chip = page.getByRole("link", { name: "Remove: permission is not READ" });
      await chip.waitFor();
      const rows = page.getByRole("row");
      await page.getByText(/^[\d,]+ file sets, 1 to 25 shown$/).waitFor();
      assertEquals(await rows.count(), 26);
      assertEquals(await page.getByRole("cell", { name: "READ", exact: true }).count(), 0);

      const firstName = await rows.nth(1).getByRole("rowheader").textContent();
      await page.getByRole("link", { name: "Next" }).click();
      await page.getByText(/26 to 50 shown/).waitFor();
      assertEquals(new URL(page.url()).searchParams.get("offset"), "25");
      await page.getByRole("columnheader", { name: "updated", exact: true }).getByRole("link")
        .click();
      await page.getByText(/1 to 25 shown/).waitFor();
      assertEquals(
        await page.getByRole("columnheader", { name: "updated", exact: true })
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
      await page.getByLabel("Date field").fill("created");
      await page.getByLabel("From").fill("2025-01-01");
      await page.getByLabel("Through").fill("2025-01-31");
      await page.getByRole("button", { name: "Apply" }).click();
      const words = "created from 2025-01-01 00:00 and before 2025-02-01 00:00 UTC";
      await page.getByRole("link", { name: `Remove: ${words}` }).waitFor();
      assertEquals(
        new URL(page.url()).searchParams.get("date"),
        "created:2025-01-01T00%3A00%3A00Z..2025-02-01T00%3A00%3A00Z",
      );
      assert(await page.getByRole("row").count() > 2);
    }));

  Deno.test(`[browser] file sets: a search that the service refuses keeps what was asked, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit);
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

  Deno.test(`[browser] file sets: one of them has a page of its own, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit);
      const link = page.getByRole("rowheader").first().getByRole("link");
      const name = await link.textContent();
      await link.click();
      await page.waitForURL(/\/filesets\/[0-9a-f-]{36}$/);
      assertEquals(await page.getByRole("heading", { level: 1 }).textContent(), name);
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      assertEquals(await page.getByText(id, { exact: true }).count(), 1);
      await page.goto("/filesets/nothing");
      assertMatch(await page.getByRole("alert").textContent(), /No file set with the id nothing/);
    }));

  Deno.test(`[browser] file sets: nothing found is said, with a way out, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit, "/filesets?filter=name:EQUALS:nothing");
      await page.getByText("No file set matches all of this.").waitFor();
      await page.getByRole("link", { name: "show all file sets" }).click();
      await page.getByText("5,000 file sets, 1 to 100 shown").waitFor();
      await page.goto("/filesets?offset=9000");
      await page.getByText("This page is past the last file set.").waitFor();
    }));
}

Deno.test("[browser] file sets: filtering and paging load no page", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await signIn(visit);
    await page.getByText("5,000 file sets").waitFor();
    await page.evaluate(() => document.body.dataset.sameDocument = "yes");
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
    const focused = page.getByRole("status");
    assertEquals(await focused.evaluate((status) => status === document.activeElement), true);
  }));

Deno.test("[browser] file sets: a stale answer never replaces a newer one", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await signIn(visit);
    const next = page.getByRole("link", { name: "Next" });
    await next.waitFor();
    // The first answer is held back until the second one is on the screen.
    let release = () => {};
    const held = new Promise<void>((resolve) => release = resolve);
    let calls = 0;
    await page.route("**/filesets/search**", async (route) => {
      if (++calls === 1) await held;
      await route.continue().catch(() => {});
    });
    await next.click();
    await page.getByRole("link", { name: "Last" }).click();
    await page.getByText("4,901 to 5,000 shown").waitFor();
    release();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    assertEquals(await page.getByText("4,901 to 5,000 shown").count(), 1);
    await page.unrouteAll({ behavior: "wait" });
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
    await page.getByText("1 file set, 1 to 1 shown").waitFor();
  }));
