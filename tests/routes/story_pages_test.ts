/** Pages of the sample's schedules as text, so that a change of what they say is read as a diff. */
import { assertEquals } from "@std/assert";
import { type PlainPage, withPlainPage } from "../browser/plain_page.ts";

const FOLDER = new URL("story_pages/", import.meta.url);

/** Compares a page with its file. */
async function assertSays(page: PlainPage, path: string, name: string): Promise<void> {
  await page.open(path);
  // How long a test takes, and so what its clock shows, depends on the machine.
  const text = `${page.text}\n\n${page.tags}\n`
    .replace(/(\/incidents\/[^"]*-)\d{13}/g, "$1…")
    .replace(/\b12:[45]\d\b/g, "12:40")
    .replace(/\b(\d+ h )?\d+ (s|min) ago/g, "a while ago")
    .replace(/in (\d+ h )?\d+ min\b/g, "in a while");
  const file = new URL(`${name}.txt`, FOLDER);
  if (Deno.env.get("DOCKET_STORY_PAGES") === "renew") await Deno.writeTextFile(file, text);
  // Line by line, as the difference alone counts.
  assertEquals(
    text.split("\n"),
    (await Deno.readTextFile(file)).split("\n"),
    `${path}: see deno task story-pages`,
  );
}

Deno.test("[e2e] pages: have the expected text", () =>
  withPlainPage(async ({ page, services }) => {
    const [run] = await services.store!.reportSchedules.history(102, { limit: 1 });
    const { items: [incident] } = await services.records!.incidents.list({
      scheduleId: 102,
      limit: 1,
    });
    const pages = {
      "watched_overview": "/",
      "watched_102": "/schedules/102?limit=3",
      "plan_101": "/schedules/101/plan",
      "run_102": `/schedules/102/runs/${run.id}`,
      "watched_incident_failing": `/incidents/${incident.id}`,
      "person": `/people/${await services.records!.people.find(9001)}`,
      "owners": "/owners",
      "filesets": "/filesets?limit=3",
    };
    for (const [name, path] of Object.entries(pages)) await assertSays(page, path, name);
  }, { isWatched: true }));
