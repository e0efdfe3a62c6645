import { assert, assertEquals } from "@std/assert";
import { quotePart } from "../../../lib/search/query_parts.ts";
import {
  answerChanged,
  asOtherVersion,
  openSignedIn,
  testSteps,
  untilLive,
  violationsOf,
  type Visit,
  withPage,
} from "../visit.ts";

/** Opens a search; gives its field, and what sends a query. */
async function openSearch(visit: Visit, path = "/filesets?limit=8") {
  const { page } = visit;
  await openSignedIn(visit, path);
  await untilLive(page);
  const input = page.getByLabel("Query");
  const search = async (query: string) => {
    await input.fill(query);
    await input.press("Enter");
  };
  return { page, input, search };
}

const changePages = ({ page }: Visit, url: string, change: (html: string) => string) =>
  page.route(url, (route) => answerChanged(route, change));

testSteps("[browser] pages: are searched and changed in place", {}, {
  "a search is paged and sorted, and the browser goes back": async (visit) => {
    const { page } = await openSearch(visit);
    const first = await page.getByRole("rowheader").first().textContent();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText(/9 to 16 shown/).waitFor();
    const updated = page.getByRole("columnheader", { name: /^Updated/ }).first();
    await updated.getByRole("link").click();
    await page.getByText(/1 to 8 shown/).waitFor();
    assertEquals(await updated.getAttribute("aria-sort"), "ascending");
    await page.goBack();
    await page.getByText(/9 to 16 shown/).waitFor();
    await page.goBack();
    await page.getByText(/1 to 8 shown/).waitFor();
    assertEquals(await page.getByRole("rowheader").first().textContent(), first);
    // A link that is to open elsewhere does.
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Next" }).click({ modifiers: ["ControlOrMeta"] });
    await (await opened).close();
    assertEquals(new URL(page.url()).search, "?limit=8");
  },

  "a search that is not valid is a page with its error, and no stale rows": async (visit) => {
    const { page, input, search } = await openSearch(visit);
    await search("owner:Finance");
    await page.getByText(/^372 of 5,000 file sets/).waitFor();
    await search("owner:");
    await page.getByText("Query, character 7: A value is missing").waitFor();
    assertEquals(await input.evaluate((field) => field === document.activeElement), true);
    assertEquals(new URL(page.url()).searchParams.get("q"), "owner:");
    assertEquals(await page.getByRole("table").count(), 0);
    await page.getByRole("link", { name: "Start over" }).click();
    await page.getByText(/1 to 100 shown/).waitFor();
    assertEquals(await input.inputValue(), "");
  },

  "what is typed during loading stays, and the rows to be replaced are busy": async (visit) => {
    const { page, input, search } = await openSearch(visit);
    const held = Promise.withResolvers<void>();
    await page.route("**/filesets?*owner*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await search("owner:Finance");
    await page.locator("#search-found[aria-busy]").waitFor();
    await input.pressSequentially(" audit");
    held.resolve();
    await page.locator("#search-found:not([aria-busy])").waitFor();
    await page.keyboard.type("s");
    assertEquals(await input.inputValue(), "owner:Finance audits");
  },

  "the last word of a query is completed": async (visit) => {
    const { input } = await openSearch(visit);
    await input.fill('name:"a b" -ow');
    const offered = await input.evaluate((field: HTMLInputElement) =>
      [...field.list!.querySelectorAll("option")].map(({ value }) => value)
    );
    assert(offered.includes('name:"a b" -owner:Finance'), offered.join());
  },

  "a Shift click on a heading adds it to the sort keys": async (visit) => {
    const { page } = await openSearch(visit);
    for (const name of ["Owner", "Files"]) {
      await page.getByRole("columnheader", { name }).getByRole("link").click({
        modifiers: ["Shift"],
      });
      await page.getByRole("link", { name: `Remove: sorted by ${name.toLowerCase()}` }).waitFor();
    }
    assertEquals(new URL(page.url()).searchParams.get("sort"), "owner,files");
  },

  "facets of the shown rows are replaced by those of all, which take longer": async (visit) => {
    const asLate = (html: string) =>
      html.replace('id="facets"', "$& data-late").replace(/<ul class="plain">.*?<\/ul>/s, "");
    await changePages(visit, "**/filesets?limit=8", asLate);
    const { page } = await openSearch(visit);
    await page.getByRole("region", { name: "Owner" }).getByText("Finance").waitFor();
    assertEquals(await page.locator("[data-late]").count(), 0);
  },

  "runs are searched by POST, as addresses may be typed": async (visit) => {
    const [run] = await visit.services.store!.reportSchedules.history(102, { limit: 1 });
    const [{ userId, emailAddress }] = run.recipients!;
    const { page, search } = await openSearch(visit, "/schedules/102");
    await search(`recipient:${emailAddress}`);
    await page.waitForURL(`**/schedules/102?q=recipient:${userId}#runs`);
  },

  "a plan's errors and planned runs are shown while typing, and the focus stays": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/schedules/101/plan");
    await page.getByText("Change…").click();
    const cron = page.getByLabel("Cron expressions");
    const place = async () => (await cron.boundingBox())!.y;
    const before = await place();
    await cron.fill("0 25 * * *");
    await page.getByText("the hour is 0 to 23").waitFor();
    assertEquals(await cron.getAttribute("aria-invalid"), "true");
    await cron.fill("0 3 * * *");
    await page.getByText("Due daily at 03:00").waitFor();
    await page.getByText("Not saved yet").waitFor();
    assertEquals(await place(), before);
    assertEquals(await cron.getAttribute("aria-invalid"), null);
    assertEquals(await page.evaluate(() => document.activeElement?.id), "cron");
    assertEquals(new URL(page.url()).search, "");
    assertEquals(await violationsOf(page), []);
    const failed = page.getByText("The preview could not be loaded. Press Preview to try again.");
    await page.route("**/plan?*", (route) => route.fulfill({ status: 502, json: {} }));
    await cron.fill("0 4 * * *");
    await failed.waitFor();
    await page.unrouteAll();
    await cron.fill("0 3 * * *");
    await failed.waitFor({ state: "detached" });
    await changePages(visit, "**/plan?*", asOtherVersion);
    await cron.fill("0 4 * * *");
    await failed.waitFor();
  },

  "nothing hides what has the focus, however small the window": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/nowhere");
    for (const [width, height] of [[320, 256], [800, 600]]) {
      await page.setViewportSize({ width, height });
      await page.goto("/filesets?q=owner:Legal&limit=5");
      await untilLive(page);
      /** Goes on by Tab from what has the focus, as often as requested; each stop is in sight. */
      const walk = async (stops: number): Promise<string[]> => {
        const names = [];
        for (let stop = 0; stop < stops; stop++) {
          await page.keyboard.press("Tab");
          const { name, hidden } = await page.evaluate(hiddenFocus);
          assertEquals(hidden, null, `${name} at ${width} × ${height} px`);
          names.push(name);
        }
        return names;
      };
      assertEquals((await walk(30))[0], "Skip to content");
      const names = await page.getByRole("rowheader").allTextContents();
      await page.getByRole("link", { name: names[1] }).press("Enter");
      await page.getByRole("dialog", { name: names[1] }).waitFor();
      await page.locator("[data-opened]:focus").waitFor();
      assertEquals(await walk(4), ["Open page", "Copy id", "Next", "Last"]);
      // The page's end, and then its top.
      await walk(15);
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: names[1] }).and(page.locator(":focus")).waitFor();

      await page.getByLabel("Query").focus();
      assertEquals((await walk(5)).at(-1), "Export, columns");
      await page.keyboard.press("Enter");
      assertEquals(await walk(1), ["Copy link"]);
      await page.context().grantPermissions(["clipboard-write"]);
      await page.keyboard.press("Enter");
      await page.getByText("Copied").waitFor();
      assertEquals(await walk(1), ["CSV"]);
      const download = page.waitForEvent("download");
      await page.keyboard.press("Enter");
      await download;
      await page.getByText("Saved all 375 rows").waitFor();
      assertEquals(await walk(3), ["NDJSON", "JSON", "signed evidence"]);
      assertEquals((await walk(17)).at(-1), "Narrow down");
      assertEquals(await page.locator(".menu[open]").count(), 0);
    }
  },
});

Deno.test("[browser] pages: a name that looks like code stays text", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    const name = `$' $\` $& </script><script>document.title="ran"</script> \u2028 "quotes' <b>`;
    const fileSet = { id: "00000000-0000-4000-8000-000000000000", name, owner: name };
    await services.store!.put({ fileSets: [fileSet] } as never);
    await openSignedIn(visit, `/filesets?${new URLSearchParams({ q: `name:${quotePart(name)}` })}`);
    assertEquals(await page.getByRole("rowheader").allTextContents(), [name]);
    assertEquals(await page.getByRole("main").count(), 1);
    assertEquals(await page.title(), "File sets · Docket");
  }));

/** What has the focus, and what hides it, if anything. Runs in the page. */
function hiddenFocus(): { name: string; hidden: string | null } {
  const element = document.activeElement!;
  const { left, top, width, height } = element.getBoundingClientRect();
  const name = element.getAttribute("aria-label") ?? element.textContent!.trim();
  // What is higher than the window is in sight by a part of it; the page itself is its own end.
  if (height > innerHeight || element === document.body) return { name, hidden: null };
  const seen = document.elementFromPoint(left + Math.min(width / 2, 8), top + height / 2);
  const isSeen = seen && (element.contains(seen) || seen.contains(element));
  return { name, hidden: isSeen ? null : seen?.outerHTML.slice(0, 100) ?? "the window's edge" };
}
