/** Pages of the sample's schedules as text, so that a change of what they say is read as a diff. */
import { queueUnsent } from "../../server/observer/outbox.ts";
import { STORIES } from "../../server/store/sample/sample_runs.ts";
import { ORIGIN, type Person, withPerson } from "../app.ts";
import { assertWritten, describeMarkup } from "../page_text.ts";

async function assertPages({ get }: Person, pages: Readonly<Record<string, string>>) {
  for (const [name, path] of Object.entries(pages)) {
    const [main] = /<main.*<\/main>/s.exec((await get(path)).text)!;
    const [words, tags] = await describeMarkup(main);
    // Below the verdict on a schedule, its runs are as those of another.
    const shown = name.startsWith("schedule_") ? words.split("\nRuns\n")[0] : `${words}\n\n${tags}`;
    // How long a test takes, and so what its clock shows, depends on the machine.
    const text = `${shown}\n`
      .replace(/(\/incidents\/[^"]*-)\d{13}/g, "$1…")
      .replace(/\bmsg_\w+/g, "msg_…")
      .replace(/\b(12|16):[45]\d\b/g, "$1:40")
      .replace(/\b(\d+ h )?\d+ (s|min|h) ago/g, "a while ago")
      .replace(/in (\d+ h )?\d+ (min|h)\b/g, "in a while");
    await assertWritten(new URL(`story_pages/${name}.txt`, import.meta.url), text);
  }
}

Deno.test("[e2e] pages: have the expected text, before and after people act", () =>
  withPerson(
    async (person) => {
      const { app: { services }, records, post, upload } = person;
      const [run, before] = await services.store!.reportSchedules.history(102, { limit: 9 });
      const incidentPath = async (scheduleId: number) =>
        `/incidents/${(await records.incidents.list({ scheduleId, limit: 1 })).items[0].id}`;
      const failing = await incidentPath(102);
      const outside = await incidentPath(112);
      const missed = await incidentPath(103);
      const rowan = `/people/${await records.people.find(9001)}`;
      await assertPages(person, {
        "watched_overview": "/",
        "watched_102": "/schedules/102?limit=3",
        ...Object.fromEntries(STORIES.map(({ scheduleId }) => [
          `schedule_${scheduleId}`,
          `/schedules/${scheduleId}`,
        ])),
        "plan_101": "/schedules/101/plan",
        "plan_changed": "/schedules/103/plan?cron=15+4+*+*+1-5&zone=UTC&grace=20&backtest=on",
        "run_102": `/schedules/102/runs/${run.id}`,
        "run_earlier": `/schedules/102/runs/${before.id}`,
        "watched_incident_failing": failing,
        "incident_outside": outside,
        "incident_missed": missed,
        "incidents": "/incidents",
        "people": "/people",
        "people_none": "/people?q=zzz",
        "recipients_112": "/schedules/112/recipients",
        "person": rowan,
        "owners": "/owners",
        "service": "/service",
        "scan": "/schedules/find",
        "go": "/go?q=10",
        "go_partner": "/go?q=partner",
        "go_words": "/go?q=claims+zzz",
        "incidents_103": "/incidents?schedule=103&state=all",
        "filesets": "/filesets?limit=3",
        "filesets_searched":
          "/filesets?q=owner:Finance,Legal+-permission:READ+files:>9&sort=-updated&limit=2&offset=2&open=0002055f-9407-43df-a1f3-acf7f69db329",
        "runs_searched": "/schedules/102?q=trigger:automated+took:>9s&sort=-took&limit=2&skip=2",
        "runs_wrong": "/schedules/102?q=trigger:scheduled&limit=0",
        "runs_failed": "/schedules/102?show=failed&limit=2&columns=startTime,status,recipientCount",
        "import": "/service/import",
        "leavers": "/people/leavers",
      });
      const act = async (path: string, form: Record<string, string>) =>
        void await post(path, { name: "Ada", ...form });
      const slack = "https://hooks.slack.com/services/T0/B0/x";
      const quiet = { from: "20:00", to: "07:00", zone: "Europe/Berlin", holdsCritical: "on" };
      await act("/owners", { action: "save", owner: "Claims", slack, ...quiet });
      await act("/owners", {
        calendar: "de",
        days: "2026-12-25, 2026-12-26",
        schedules: "101-103",
      });
      await queueUnsent({ records, origin: ORIGIN }, Date.now());
      await act(failing, { action: "acknowledge", note: "asking the warehouse" });
      await act(failing, { action: "mute", span: "4h", note: "disk is full" });
      await act(missed, { action: "resolve" });
      await act(await incidentPath(111), { action: "mute-schedule", span: "7d", note: "moving" });
      await act("/schedules/104/plan", { action: "infer" });
      await act(rowan, { on: "112", expected: "false", note: "Audit is over" });
      await act("/service", { status: "odd", meaning: "bad" });
      await act("/schedules/watch", { action: "unwatch", id: "108" });
      await upload("/people/leavers", "userId,left\n2102,2026-09-30\n2101,2126-12-31\n");
      await assertPages(person, {
        "acted_overview": "/?state=outside",
        "acted_schedules": "/schedules?list=unwatched",
        "acted_incident": failing,
        "acted_outside": outside,
        "acted_incidents": "/incidents?state=all",
        "acted_deliveries": "/incidents/deliveries",
        "acted_people": "/people?group=left",
        "acted_person": rowan,
        "acted_worklist": "/people/worklist",
        "acted_owners": "/owners",
        "acted_owner": "/owners/Claims",
        "acted_service": "/service",
        "acted_111": "/schedules/111?limit=3",
      });
    },
    {},
    { isWatched: true },
  ));
