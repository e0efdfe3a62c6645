/** What all pages do alike: links to nothing, wrong links, addresses of people, odd names. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { assertAnswer, withPerson } from "../app.ts";
import { textOf } from "../components/rendered.ts";
import { withOperator } from "../upstream.ts";

Deno.test("[e2e] pages: what is no id, or of nothing, is a 404 that says so", () =>
  withPerson(async ({ get }) => {
    const missing = {
      "/schedules/abc": "A schedule id is a whole number from 0 to 9007199254740991.",
      "/schedules/1e3?x=": "A schedule id is a whole number from 0 to 9007199254740991.",
      "/schedules/999": "There is no report schedule 999",
      "/schedules/102/runs/x": "A run id is a whole number of at most 9007199254740991",
      "/schedules/102/runs/1": "Schedule 102 has no run 1",
      "/schedules/999/export?format=csv": "There is no report schedule 999",
      "/filesets/nothing": "No file set has the id “nothing”",
      "/people/999999": "Not found",
      "/people/one": "Not found",
      "/incidents/none": "Not found",
    };
    for (const [path, words] of Object.entries(missing)) {
      const { status, text } = await get(path);
      assertEquals([path, status, text.includes(words)], [path, 404, true]);
    }
  }));

/** The same condition on schedules or file sets, more often than the API allows. */
const TOO_MANY = `q=${Array(51).fill(`name:${"a".repeat(60)}`).join("+")}`;
const TOO_MANY_RUNS = `q=${Array(51).fill(`status:${"a".repeat(60)}`).join("+")}`;
const TOO_MANY_KEYS = `sort=${Array(11).fill("name").join(",")}`;

const INCIDENTS = ["state: must be one of ", "A schedule id is a whole number", "offset: must be"];

/** Links that can't be used as they are, and what is said of them. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  "/?state=x": ["state: must be one of"],
  "/schedules?state=x&offset=y": ["state: must be one of", "offset: must be"],
  "/incidents?state=shut&schedule=abc&offset=-1": INCIDENTS,
  "/incidents/deliveries?state=shut&offset=-1": [INCIDENTS[0], INCIDENTS[2]],
  "/people?group=some": ["must be one of"],
  "/people?q=rowan.pike@partner.example.net": ["address"],
  "/people?schedule=x": ["whole number"],
  "/schedules/101/recipients?group=some": ["must be one of"],
  "/schedules/102/export?format=csv&columns=zz": ["no column is called zz"],
  "/filesets?colour=red": ["is not a known parameter"],
  "/filesets/facets?colour=red": ['id="facets"></div>'],
  "/schedules/102/export?format=xml&q=x:EQUALS:1": ["Query", "format"],
  "/people/export?format=xml&group=some": ["group", "format"],
  [`/filesets?${TOO_MANY}`]: ["at most 50 conditions on values, not 51"],
  [`/filesets?${TOO_MANY_KEYS}`]: ["at most 10 sort keys, not 11"],
  [`/filesets/export?format=csv&${TOO_MANY}`]: ["at most 50 conditions on values, not 51"],
  [`/schedules/101?${TOO_MANY_RUNS}`]: ["at most 50 conditions on values, not 51"],
  "/filesets?q=owner:NOPE:x+permission:READ": ["condition 1 operator: must be one of EQUALS"],
};

Deno.test("[e2e] pages: a wrong link is a 400 that says what is wrong, and lists nothing", () =>
  withPerson(async ({ records, get }) => {
    await records.watches.add([101], Date.now());
    for (const [path, words] of Object.entries(WRONG)) {
      const { status, text } = await get(path);
      const missing = words.filter((each) => !`${textOf(text)} ${text}`.includes(each));
      const shown = /<tbody|<article|\/people\/export|1 incident/.test(text);
      assertEquals([status, missing, shown], [400, [], false], path);
      assert(text.length < 40_000, `${path}: ${text.length}`);
    }
    // The condition that is refused is shown to be removed.
    const { text } = await get("/filesets?q=owner:NOPE:x+permission:READ");
    const [, without] = /<a href="([^"]+)" aria-label="Remove: owner NOPE x"/.exec(text)!;
    assertEquals(without, "/filesets?q=permission:READ");
    // The search goes on while a condition to add to it is wrong.
    const adding = await get("/filesets?new-form=1&new-field=fileCount&new-value=many");
    assertAnswer(adding, 400, "<tbody", "Write a number");
  }));

const INCIDENT_LIST = "Incidents | Deliveries | Open 0 | Resolved 0 | All 0 | Filter";
const DELIVERIES = "Deliveries | All 0 | Failed 0 | Waiting 0 | Sent 0";
const UNASKED = "No schedules were added; no ids scanned.";

/** What pages say, from their heading to their end or the first form, while there is nothing to list. */
const EMPTY: Readonly<Record<string, string>> = {
  "/":
    "Today | No schedules are watched. Add some, and Docket notices when something is wrong. | " +
    "Docket",
  "/schedules": `Schedules | Add schedules | ${UNASKED} Add from a file · Scan for schedules |`,
  "/schedules/find": "Scan for schedules | Docket asks the service for each id of a range, and " +
    "reads what it finds once a day. | First idLast idRequests per secondScan | Docket",
  "/people": "People | All 0 | New outside 0 | Outside 0 | Left 0 | " +
    "Not in the last run 0 | Filter | Nobody yet: people appear here once a " +
    `successful run with a start lists them. | ${UNASKED} | Docket`,
  "/people/worklist": "Worklist | Nothing to do. To add an entry, choose “Not expected” on a " +
    `person’s page. | ${UNASKED} | Docket`,
  "/incidents": `${INCIDENT_LIST} | 0 incidents | No incident is open. | Docket`,
  "/incidents?state=resolved": `${INCIDENT_LIST} | 0 incidents | No incident was resolved yet. |`,
  "/incidents?state=all": `${INCIDENT_LIST} | 0 incidents | There are no incidents yet. |`,
  "/incidents?schedule=7": `${INCIDENT_LIST}Clear | 0 incidents | No incidents match. |`,
  "/incidents?code=failing": `${INCIDENT_LIST}Clear | 0 incidents | No incidents match. |`,
  "/incidents/deliveries":
    `${DELIVERIES} | Nothing has been sent yet. Incidents go to the channels of owners ` +
    "and to WEBHOOK_URL, ALERTMANAGER_URL and MAIL_TO. | Docket",
  "/incidents/deliveries?state=sent": `${DELIVERIES} | No deliveries match. | Docket`,
  "/owners":
    "Owners | Nobody owns a schedule yet. An owner's incidents go to the owner's channels. |",
  "/service#": "Ids asked for | No ids were scanned yet. | Scan for schedules | Docket",
  "/service": "Service | Last read | Not yet | Schedules known | 0 | no ids scanned | Totals of " +
    "a search | Not asked yet | Statuses | No run was read yet. |",
};

Deno.test("[e2e] pages: say why they list nothing, and no more", () =>
  withOperator(async ({ get }) => {
    for (const [path, words] of Object.entries(EMPTY)) {
      const { text } = await get(path);
      assertStringIncludes(textOf(text), `| ${words}`, path);
      assertEquals(text.includes('role="alert"'), false, path);
    }
    assertAnswer(await get("/service/import"), 404, "into the embedded service only");
  }, {}));

Deno.test("[e2e] pages, files: have no address of a person until it is asked for", () =>
  withPerson(async ({ app, get }) => {
    const runs = await app.services.store!.reportSchedules.history(112, { limit: 2 });
    const [{ id, recipients }] = runs;
    const address = recipients![0].emailAddress!.toLowerCase();
    const has = async (path: string) => (await get(path)).text.toLowerCase().includes(address);
    const run = `/schedules/112/runs/${id}`;
    for (const path of ["/schedules/112", run]) {
      assertEquals(await has(path), false, path);
    }
    for (const path of ["/people?", "/schedules/112/recipients?", "/people/export?format=csv"]) {
      assertEquals([await has(path), await has(`${path}&addresses=shown`)], [false, true], path);
    }
  }));

Deno.test("[e2e] a name that turns its line around reads in order on pages", () =>
  withPerson(async ({ records, get }) => {
    const name = "Sales \u202efdp.\u2066";
    await records.watches.add([101], Date.now(), { name });
    for (const path of ["/", "/schedules", "/schedules/101", "/go"]) {
      const { text } = await get(path);
      assert(text.includes("Sales \ufffdfdp.\ufffd"), path);
      assert(!/[\u202a-\u202e\u2066-\u2069]/.test(text), path);
    }
  }));

const LONG = "x".repeat(10_000);

Deno.test("[e2e] pages: stay small however long an upstream's texts and lists are", () => {
  const long = { name: LONG, description: LONG, owner: LONG };
  const fileSets = Array.from({ length: 100 }, (_, at) => ({ id: `id-${at}`, ...long }));
  const emails = Array.from({ length: 3000 }, (_, at) => `ada@example${at}.com`);
  const recipients = emails.map((emailAddress) => ({ emailAddress }));
  const runs = [2, 1].map((id) => ({
    ...{ id, status: "success", reportTitle: LONG, recipients: id === 2 ? recipients : [] },
    ...{ startTime: `2026-01-0${id}T00:00:00Z`, endTime: `2026-01-0${id}T01:00:00Z` },
  }));
  return withOperator(async ({ get }) => {
    const fileSetPaths = ["/filesets", "/filesets?new-field=owner", "/filesets?open=id-1"];
    for (const path of [...fileSetPaths, "/schedules/7", "/schedules/7/runs/2"]) {
      const { status, text } = await get(path);
      assertEquals([status, text.includes("x".repeat(1001))], [200, false], path);
      assert(text.length < 2_000_000, `${path}: ${text.length}`);
    }
  }, { fileSets, runs: { 7: runs } });
});
