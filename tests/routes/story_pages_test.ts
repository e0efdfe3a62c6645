/** Pages of the sample's schedules as text, so that a change of what they say is read as a diff. */
import { STORIES } from "../../server/store/sample/stories.ts";
import { type PlainPage, withPlainPage } from "../browser/plain_page.ts";
import { watchSample } from "../browser/sample_watches.ts";
import { assertStored } from "../stored_text.ts";

const FOLDER = new URL("story_pages/", import.meta.url);

/** Compares a page with its file. */
async function assertSays(page: PlainPage, path: string, name: string): Promise<void> {
  await page.open(path);
  // How long a test takes depends on the machine.
  const text = `${page.text}\n\n${page.tags}\n`
    .replace(/(\/incidents\/[^"]*-)\d{13}/g, "$1…")
    .replace(/\b(\d+ h )?\d+ (s|min) ago/g, "a while ago")
    .replace(/in (\d+ h )?\d+ min\b/g, "in a while");
  await assertStored(text, new URL(`${name}.txt`, FOLDER), path);
}

Deno.test("[e2e] schedule pages: have the expected text", () =>
  withPlainPage(async ({ page, services }) => {
    for (const { scheduleId, kind } of STORIES) {
      await assertSays(page, `/schedules/${scheduleId}?limit=3`, `schedule_${scheduleId}_${kind}`);
    }
    const runs = await services.store!.reportSchedules.history(102, { limit: 10 });
    const others = {
      "run_102": `/schedules/102/runs/${runs[0].id}`,
      "plan_101": "/schedules/101/plan",
      "plan_107": "/schedules/107/plan",
      "filtered_102": "/schedules/102?q=status:failure&limit=3",
      "recipients_104": "/people?schedule=104",
      "compare_102": `/schedules/102/runs/${runs[0].id}?with=${runs[9].id}`,
      "service": "/service",
      "preferences": "/preferences",
      "go": "/go",
      "people": "/people?group=outside&domain=haulier.example.net",
      "person": `/people/${await services.records!.people.find(9001)}`,
      "worklist": "/people/worklist",
      "leavers": "/people/leavers",
      "owners": "/owners",
      "find": "/schedules/find",
      "file": "/schedules/file",
      "nowhere": "/nowhere",
      "today": "/",
      "sign_in": "/sign-in",
      "filesets": "/filesets?limit=3",
    };
    for (const [name, path] of Object.entries(others)) await assertSays(page, path, name);
  }));

Deno.test("[e2e] pages of watched schedules: have the expected text", () =>
  withPlainPage(async ({ page, services }) => {
    await watchSample(services);
    await assertSays(page, "/", "watched_overview");
    await assertSays(page, "/incidents", "watched_incidents");
    await assertSays(page, "/schedules", "watched_schedules");
    await assertSays(page, "/incidents/deliveries", "watched_deliveries");
    await assertSays(page, "/go?q=a", "watched_go");
    await assertSays(page, "/owners/Finance", "watched_owner");
    await assertSays(page, "/schedules/102?limit=3", "watched_102");
    const { items: [{ id }] } = await services.records!.incidents.list({ limit: 1 });
    await assertSays(page, `/incidents/${id}`, "watched_incident");
    for (const [scheduleId, code] of [[102, "failing"], [103, "missed"]] as const) {
      const { items: [{ id }] } = await services.records!.incidents.list({ scheduleId, limit: 1 });
      await assertSays(page, `/incidents/${id}`, `watched_incident_${code}`);
    }
  }));
