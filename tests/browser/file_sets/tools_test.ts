import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "@std/csv";
import { withPlainPage } from "../plain_page.ts";
import { openSignedIn, testSteps, untilLive, withPage } from "../visit.ts";

/** A short table, where its length does not matter: each row costs a browser time. */
const FEW = "/filesets?limit=10";

Deno.test("[browser] file sets: quick search by name is one condition", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    const name = page.getByLabel("Query");
    await name.fill("payroll");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText(/^326 of 5,000 file sets, name contains payroll/).waitFor();
    assertEquals(await name.inputValue(), "payroll");
    await name.fill("audit");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText(/name contains audit, 1 to/).waitFor();
    assertEquals(new URL(page.url()).search, "?limit=10&q=audit");
    await name.fill("");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("5,000 file sets, 1 to 10 shown").waitFor();
    assertEquals(new URL(page.url()).search, "?limit=10");
  }));

Deno.test("[browser] file sets: a query sets every condition, and dates stay relative", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    const query = page.getByLabel("Query");
    const search = async (text: string) => {
      await query.fill(text);
      await page.getByRole("button", { name: "Search" }).click();
    };
    const typed = "payroll -permission:READ updated:this-year sort:-updated";
    await search(typed);
    await page.getByRole("link", { name: "Remove: permission is not READ" }).waitFor();
    await page.getByText(/name contains payroll, permission is not READ, updated this year/)
      .waitFor();
    assertEquals(new URL(page.url()).searchParams.get("q"), typed);
    await page.reload();
    assertEquals(await query.inputValue(), typed);
    await page.getByRole("link", { name: "Remove: permission is not READ" }).click();
    await page.getByText(/name contains payroll, updated this year/).waitFor();
    assertEquals(await query.inputValue(), "payroll updated:this-year sort:-updated");
    assertEquals(
      new URL(page.url()).search,
      "?filter=name:LIKE:payroll&date=updated:this-year&sort=updated:DESC&limit=10",
    );

    await search("owner:Finance colour:red");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assertMatch(
      await alert.textContent(),
      /Query, character 15: “colour”: No field is called colour\. Fields: id, name,/,
    );
    assertEquals(await query.inputValue(), "owner:Finance colour:red");
    await search("owner:Finance");
    await page.getByText(/^[\d,]+ of 5,000 file sets, owner is Finance/).waitFor();
    assertEquals(await alert.count(), 0);
  }));

Deno.test("[browser] file sets: columns, row spacing and a relative date are in the URL", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    await page.getByText("Columns…").click();
    await page.getByRole("checkbox", { name: "Created", exact: true }).check();
    await page.getByLabel("Row spacing").selectOption("compact");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL(/density=compact/);
    await page.goto(`${page.url()}&add=updated`);
    await page.getByLabel("Range").selectOption("This year");
    await page.getByRole("button", { name: "Apply", exact: true }).first().click();
    await page.getByText(/file sets, updated this year, 1 to/).waitFor();
    const params = new URL(page.url()).searchParams;
    assertEquals(params.get("columns"), "name,owner,permission,fileCount,created,updated");
    assertEquals(params.get("density"), "compact");
    assertEquals(params.get("date"), "updated:this-year");
    assertEquals(await page.getByRole("columnheader").count(), 6);
    // A link that was shared shows the same.
    await page.reload();
    assertEquals(await page.getByRole("columnheader").count(), 6);
  }));

Deno.test("[browser] file sets: the export has every row that matches", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    await openSignedIn(
      visit,
      "/filesets?filter=permission:EQUALS:READ&columns=name,owner&limit=10",
    );
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV", exact: true }).click();
    const download = await downloading;
    assertMatch(download.suggestedFilename(), /^file-sets-\d{4}-\d\d-\d\d\.csv$/);
    const rows = parse(await Deno.readTextFile(await download.path()), { skipFirstRow: true });
    const { pageContext } = await services.store!.fileSets.search({
      filters: [{ field: "permission", value: ["READ"] }],
    }, { limit: 1 });
    assertEquals(rows.length, pageContext.total);
    assertEquals(Object.keys(rows[0]), ["name", "owner"]);
    await page.getByText(/^Saved all [\d,]+ rows to/).waitFor();
  }));

Deno.test("[browser] file sets: an export that can't start is refused, not half a file", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    const statuses = await page.evaluate(() =>
      Promise.all(
        ["format=csv&filter=colour:EQUALS:red", "format=xml", "format=csv&limit=x"].map(async (
          query,
        ) => (await fetch(`/filesets/export?${query}`)).status),
      )
    );
    assertEquals(statuses, [400, 400, 400]);
  }));

testSteps("[browser] file sets: headers, cells and rows act", {}, {
  "a header adds its sort key with the shift key": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    const header = (name: string) => page.getByRole("columnheader").getByRole("link", { name });
    await header("owner").click();
    await page.getByText("5,000 file sets, by owner, ascending, 1 to 10 shown").waitFor();
    await header("updated").first().click({ modifiers: ["Shift"] });
    await page.getByText(/by owner, ascending, then oldest updated first/).waitFor();
    await header("updated").first().click({ modifiers: ["Shift"] });
    await page.getByText(/by owner, ascending, then newest updated first/).waitFor();
    assertEquals(new URL(page.url()).searchParams.getAll("sort"), ["owner", "updated:DESC"]);
    await header("permission").click();
    await page.getByText("5,000 file sets, by permission, ascending, 1 to 10 shown").waitFor();
  },

  "a page has its rows once, and a header that sorts keeps the focus": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit);
    const [{ id }] = (await visit.services.store!.fileSets.search({}, { limit: 1 })).fileSets;
    const html = await (await page.goto("/filesets"))!.text();
    assertEquals(html.split(id).length - 1, 1);
    const header = page.getByRole("columnheader").getByRole("link", { name: "owner" });
    for (const order of ["ascending", "descending"]) {
      await header.press("Enter");
      await page.getByText(`5,000 file sets, by owner, ${order}, 1 to 100 shown`).waitFor();
      await page.locator("[data-sort=owner]:focus").waitFor();
    }
  },

  "a click in a cell filters by its value, with Alt by all others": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?columns=name,owner,fileCount,updated&limit=25");
    await untilLive(page);
    const row = page.getByRole("row").filter({ hasText: /,\d{3}/ }).first();
    const cell = (at: number) => row.getByRole("cell").nth(at);
    const [owner, files] = [await cell(0).innerText(), await cell(1).innerText()];
    await cell(2).click();
    await cell(0).click({ modifiers: ["Alt"] });
    const filter = () => new URL(page.url()).searchParams.getAll("filter");
    await page.getByText(new RegExp(`file sets, owner is not ${owner}, 1 to 25 shown`)).waitFor();
    assertEquals(filter(), [`!owner:EQUALS:${owner}`]);
    await page.goBack();
    await page.getByText("5,000 file sets, 1 to 25 shown").waitFor();
    await cell(0).evaluate((element) => getSelection()!.selectAllChildren(element));
    await cell(0).dispatchEvent("click");
    await page.evaluate(() => getSelection()!.removeAllRanges());
    await cell(1).click();
    await page.getByText(new RegExp(`file sets?, files is ${files}, 1 to`))
      .waitFor();
    assertEquals(filter(), [`fileCount:EQUALS:${files.replace(",", "")}`]);
  },

  "a row opens beside the table, and closes to where it was": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    const link = page.getByRole("rowheader").nth(2).getByRole("link");
    const name = await link.textContent();
    await link.click();
    const heading = page.getByRole("heading", { level: 2, name: name! });
    await heading.waitFor();
    const isFocused = (node: Element) => node === document.activeElement;
    assertEquals(await heading.evaluate(isFocused), true);
    assert(page.url().includes("open="));
    await page.reload();
    await heading.waitFor();
    await page.getByRole("link", { name: "Close" }).click();
    await heading.waitFor({ state: "detached" });
    assertEquals(await link.evaluate(isFocused), true);
    await page.goBack();
    await heading.waitFor();
  },
});

Deno.test("[e2e] file sets: without JavaScript, the open file set's values filter", () =>
  withPlainPage(async ({ page, services }) => {
    const [{ id, owner }] = (await services.store!.fileSets.search({}, { limit: 1 })).fileSets;
    await page.open(`/filesets?open=${id}`);
    await page.press(`Only owner ${owner}`);
    assertMatch(page.text, new RegExp(`file sets, owner is ${owner}, 1 to 100 shown`));
  }));

Deno.test("[browser] file sets: the view can be copied as link, curl and script", () =>
  withPage({}, async (visit) => {
    const { page, origin, token } = visit;
    await openSignedIn(visit, "/filesets?filter=name:LIKE:it's&sort=updated:DESC&limit=25");
    await page.getByText("Copy as…").click();
    const texts = await page.locator("pre").allTextContents();
    assertEquals(texts[0], `${origin}/filesets?filter=name:LIKE:it%27s&sort=updated:DESC&limit=25`);
    const curl = new Deno.Command("sh", {
      args: ["-c", `${texts[1]} -s -o /dev/null -w '%{http_code}'`],
      env: { DOCKET_TOKEN: token },
    });
    assertEquals(new TextDecoder().decode((await curl.output()).stdout), "200");
    assertMatch(texts[2], /client\.fileSets\.search\(\{[^]*"it's"/);
    assertEquals(texts.join().includes(token), false);
    await page.context().grantPermissions(["clipboard-write"]);
    await page.getByRole("button", { name: "Copy Link" }).click();
    await page.getByText("Copied").waitFor();
    // Docket's pages may not read the clipboard; a person pastes.
    const search = page.getByRole("searchbox").first();
    await search.fill("");
    await search.press("ControlOrMeta+V");
    assertEquals(await search.inputValue(), texts[0]);
  }));

Deno.test("[browser] file sets: an export whose code did not arrive starts after a reload, as the page says", () =>
  withPage({ tolerated: /net::ERR_FAILED/ }, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    await untilLive(page);
    await page.route(/search_actions/, (route) => route.abort());
    const csv = page.getByRole("link", { name: "CSV" });
    await csv.click();
    await page.getByText("The export could not be loaded. Reload the page and try again.")
      .waitFor();
    await page.unrouteAll();
    await page.reload();
    await untilLive(page);
    const saved = page.waitForEvent("download");
    await csv.click();
    assertMatch((await saved).suggestedFilename(), /\.csv$/);
  }));
