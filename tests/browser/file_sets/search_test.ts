import { assertEquals } from "@std/assert";
import { quotePart } from "../../../lib/search/query_parts.ts";
import { openSignedIn, withPage } from "../visit.ts";

Deno.test("[browser] file sets: filter, page, sort and go back", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?limit=25");
    await page.getByText("Add a condition").click();
    await page.getByLabel("Field", { exact: true }).selectOption("Permission");
    await page.getByLabel("Condition", { exact: true }).selectOption("is not");
    await page.getByLabel("Values or days").fill("READ");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.waitForURL("/filesets?q=-permission:READ&limit=25");
    const chip = page.getByRole("link", { name: "Remove: permission is not READ" });
    await chip.waitFor();
    const firstName = await page.getByRole("rowheader").first().textContent();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText(/26 to 50 shown/).waitFor();
    const updated = page.getByRole("columnheader", { name: /^Updated/ }).first();
    await updated.getByRole("link").click();
    await page.getByText(/1 to 25 shown/).waitFor();
    assertEquals(await updated.getAttribute("aria-sort"), "ascending");
    await page.goBack();
    await page.getByText(/26 to 50 shown/).waitFor();
    await page.goBack();
    await page.getByText(/1 to 25 shown/).waitFor();
    assertEquals(await page.getByRole("rowheader").first().textContent(), firstName);
    await chip.click();
    await page.getByText("5,000 file sets, 1 to 25 shown").waitFor();
  }));

Deno.test("[browser] file sets: names that look like code stay text, and the page works", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    const name = `$' $\` $& </script><script>document.title="ran"</script> \u2028 "quotes' <b>`;
    const [{ created, updated }] = (await services.store!.fileSets.search({})).fileSets;
    const fileSet = { id: "00000000-0000-4000-8000-000000000000", name, owner: name };
    const others = {
      created,
      createdBy: 1,
      updated,
      updatedBy: 1,
      permission: "READ",
      fileCount: 1,
    };
    await services.store!.put({ fileSets: [{ ...fileSet, ...others }] } as never);
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
