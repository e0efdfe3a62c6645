/**
 * `deno task screenshots`: pictures of each page and state at 1280 and 360 px, light and dark, for
 * people to look at. They go to `screenshots/`, which is not kept.
 */
import { watchSample } from "./sample_watches.ts";
import { closeBrowser, openSignedIn, withPage } from "./visit.ts";

const FOLDER = new URL("../../screenshots/", import.meta.url);

const STATES: Readonly<Record<string, string>> = {
  "overview": "/",
  "overview-filtered": "/?state=healthy&owner=claims",
  "overview-nothing": "/?q=nothing",
  "incidents": "/incidents",
  "file-sets": "/filesets",
  "file-sets-searched": "/filesets?q=payroll+-permission:READ&sort=-updated&limit=25",
  "file-sets-add": "/filesets?q=permission:READ&new-field=owner&limit=25",
  "file-sets-nothing": "/filesets?q=name:nothing",
  "file-sets-refused": "/filesets?q=colour:EQUALS:red&limit=x",
  "file-set-missing": "/filesets/nothing",
  "schedules": "/schedules",
  "schedules-watched": "/schedules",
  "schedules-bad-id": "/schedules?id=one",
  "runs-healthy": "/schedules/101",
  "plan": "/schedules/101/plan",
  "runs-failing": "/schedules/102",
  "runs-missed": "/schedules/103",
  "recipients": "/schedules/104/recipients",
  "recipients-outside": "/schedules/112/recipients",
  "runs-outside": "/schedules/112",
  "runs-never": "/schedules/107",
  "runs-unknown": "/schedules/999",
  "people": "/people",
  "people-outside": "/people?group=outside&addresses=shown",
  "person": "/people/1",
  "worklist": "/people/worklist",
  "leavers": "/people/leavers",
  "preferences": "/preferences",
  "go": "/go?q=10",
  "not-found": "/nowhere",
};

await Deno.mkdir(FOLDER, { recursive: true });
for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 360]) {
    await withPage({ colorScheme, width }, async (visit) => {
      const { page, services } = visit;
      const take = async (name: string) => {
        const path = new URL(`${name}-${width}-${colorScheme}.png`, FOLDER).pathname;
        await page.screenshot({ path, fullPage: false });
      };
      await page.goto("/sign-in");
      await take("sign-in");
      // Before anything is watched, and after.
      await openSignedIn(visit, "/");
      await take("overview-empty");
      await watchSample(services);
      const [fileSet] = (await services.store!.fileSets.search({}, { limit: 1 })).fileSets;
      const [run] = await services.store!.reportSchedules.history(104, { limit: 1 });
      const { items: [incident] } = await services.records!.incidents.list({ limit: 1 });
      const states = {
        ...STATES,
        "incident": `/incidents/${incident.id}`,
        "file-set": `/filesets/${fileSet.id}`,
        "file-sets-opened": `/filesets?open=${fileSet.id}`,
        "run": `/schedules/104/runs/${run.id}`,
      };
      for (const [name, path] of Object.entries(states)) {
        await page.goto(path);
        await take(name);
      }
      await page.goto("/filesets?q=pay");
      await page.getByText("Export, columns").click();
      await take("file-sets-form-and-code");
    });
  }
}
await closeBrowser();
console.log(`Pictures are in ${FOLDER.pathname}`);
