/** Pages of the sample's schedules as text, so that a change of what they say is read as a diff. */
import { withPerson } from "../app.ts";
import { assertWritten, describeMarkup } from "../page_text.ts";

Deno.test("[e2e] pages: have the expected text", () =>
  withPerson(
    async ({ app: { services }, get }) => {
      const [run] = await services.store!.reportSchedules.history(102, { limit: 1 });
      const about = { scheduleId: 102, limit: 1 };
      const { items: [incident] } = await services.records!.incidents.list(about);
      const pages = {
        "watched_overview": "/",
        "watched_102": "/schedules/102?limit=3",
        "plan_101": "/schedules/101/plan",
        "run_102": `/schedules/102/runs/${run.id}`,
        "watched_incident_failing": `/incidents/${incident.id}`,
        "person": `/people/${await services.records!.people.find(9001)}`,
        "owners": "/owners",
        "filesets": "/filesets?limit=3",
        "import": "/service/import",
        "leavers": "/people/leavers",
      };
      for (const [name, path] of Object.entries(pages)) {
        const [main] = /<main.*<\/main>/s.exec((await get(path)).text)!;
        // How long a test takes, and so what its clock shows, depends on the machine.
        const text = `${(await describeMarkup(main)).join("\n\n")}\n`
          .replace(/(\/incidents\/[^"]*-)\d{13}/g, "$1…")
          .replace(/\b12:[45]\d\b/g, "12:40")
          .replace(/\b(\d+ h )?\d+ (s|min|h) ago/g, "a while ago")
          .replace(/in (\d+ h )?\d+ (min|h)\b/g, "in a while");
        await assertWritten(new URL(`story_pages/${name}.txt`, import.meta.url), text);
      }
    },
    {},
    { isWatched: true },
  ));
