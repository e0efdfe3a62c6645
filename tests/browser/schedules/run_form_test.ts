import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { ReportRun } from "../../../lib/types.ts";
import { openBeforeScripts, openSignedIn, untilLive, type Visit, withPage } from "../visit.ts";

/** Opens a schedule's runs with the page's clock stopped, so that no timer of the form ends early. */
async function openRuns(visit: Visit, path: string) {
  const { page, services } = visit;
  await page.clock.install({ time: Date.now() });
  await openSignedIn(visit, path);
  // A script that came after the clock stopped would wait for its first timer for ever.
  await untilLive(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  return {
    runs: await services.store!.reportSchedules.history(110, { limit: 1000 }),
    shows: (count: number) =>
      page.getByText(count === 400 ? "400 runs" : `${count} of 400 runs`, { exact: true })
        .waitFor(),
    /** Lets so much time pass that what was typed is sent. */
    pause: () => page.clock.runFor(1000),
  };
}

/** Keeps the next answer to the form from the page until it is released. */
async function holdAnswer(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route("**/schedules/110", async (route) => {
    if (route.request().method() === "POST" && isFirst) {
      isFirst = false;
      await promise;
    }
    await route.continue();
  });
  return resolve;
}

const byHand = ({ automated }: ReportRun) => !automated;
const seconds = ({ startTime, endTime }: ReportRun) =>
  (Date.parse(endTime!) - Date.parse(startTime!)) / 1000;

Deno.test("[browser] runs: what was chosen is kept by a link that is followed before the answer", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    const { runs, shows, pause } = await openRuns(visit, "/schedules/110");
    const release = await holdAnswer(page);
    await page.getByRole("combobox", { name: "Trigger" }).selectOption("manual");
    await page.getByLabel("Min. duration").fill("40");
    await page.getByRole("link", { name: "Duration", exact: true }).click();
    release();
    await page.waitForURL((url) => url.searchParams.get("sort") === "duration");
    await page.getByRole("columnheader", { name: "Duration" }).and(page.locator("[aria-sort]"))
      .waitFor();
    await pause();
    await shows(runs.filter((run) => byHand(run) && seconds(run) >= 40).length);
    assertEquals(new URL(page.url()).searchParams.get("sort"), "duration");
    // Back undoes the order, and nothing is sent again.
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has("sort"));
    await shows(runs.filter(byHand).length);
    await pause();
    await shows(runs.filter(byHand).length);
    assertEquals(await page.getByLabel("Min. duration").inputValue(), "");
  }));

Deno.test("[browser] runs: a date is typed to its end while answers arrive", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    const { runs, shows, pause } = await openRuns(visit, "/schedules/110");
    const day = runs[20].startTime!.slice(0, 10);
    const [year, month, date] = day.split("-");
    await page.getByLabel("From", { exact: true }).focus();
    await page.keyboard.type(`${month}${date}${year.slice(0, 2)}`);
    const answered = page.waitForResponse((response) => response.request().method() === "GET");
    await pause();
    await answered;
    await shows(400);
    await page.keyboard.type(year.slice(2));
    await pause();
    await shows(runs.filter(({ startTime }) => startTime! >= day).length);
    assertEquals(await page.getByLabel("From", { exact: true }).inputValue(), day);
  }));

Deno.test("[browser] runs: what was chosen and typed before the scripts arrived takes effect", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    const release = await openBeforeScripts(visit, "/schedules/110");
    const runs = await services.store!.reportSchedules.history(110, { limit: 1000 });
    await page.getByRole("combobox", { name: "Trigger" }).selectOption("manual");
    await page.getByLabel("Min. duration").fill("40");
    release();
    const found = runs.filter((run) => byHand(run) && seconds(run) >= 40).length;
    await page.getByText(`${found} of 400 runs`, { exact: true }).waitFor();
  }));
