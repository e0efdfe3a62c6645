import { runSteps, world } from "./world.ts";

const ada = { userId: 1, displayName: "Ada Byron", emailAddress: "ada@example.com" };
const rowan = { userId: null, displayName: "Rowan", emailAddress: "Rowan@partner.example.net" };
const run = (id: number, recipients: object[], status = "success") => (
  { id, startTime: `2026-11-${id + 10}T05:00:00Z`, status, recipients }
);
const RUNS = {
  101: [run(1, [ada, rowan]), run(2, [{ ...ada, emailAddress: "byron@example.com" }])],
  102: [run(3, [ada]), run(4, [rowan], "failure")],
};

/** Who received it since when, with full addresses. */
const CSV = [
  "scheduleId,userId,displayName,emailAddress,first,last,runs,receiving",
  "101,1,Ada Byron,byron@example.com,2026-11-11T05:00:00.000Z,2026-11-12T05:00:00.000Z,2,true",
  "101,,Rowan,Rowan@partner.example.net,2026-11-11T05:00:00.000Z,2026-11-11T05:00:00.000Z,1,false",
  "102,1,Ada Byron,ada@example.com,2026-11-13T05:00:00.000Z,2026-11-13T05:00:00.000Z,1,true\r\n",
].join("\r\n");

Deno.test("docket recipients, who: list recipients, and find a person by user id or any address", async () => {
  const short = { ...run(5, []), recipients: null, recipientCount: 2 };
  const limited = world({
    runs: { ...RUNS, 105: [], 106: [short], 107: [{ ...run(6, [ada]), startTime: null }] },
    mayRead: (_, subject) => subject !== 105,
  });
  const rowanOn101 = /^ *101 +false +1 +2026-11-11 +2026-11-11 +Rowan +rowan@/im;
  const missing = /^Schedule 103 was left out\. .*status 404/;
  const forbidden = /^Schedule 105 was left out\. .*status 403/;
  const nobody = /^No run known to be successful lists that address/;
  const both = /^.*\r\n101,.*\r\n102,.*\r\n$/;
  await runSteps(limited.docket, [
    ["recipients 101,102 --format csv", 0, CSV],
    ["who 1 --schedules 101-102 --format csv", 0, both],
    ["who BYRON@example.com --schedules 101-102 --format csv", 0, both],
    ["who rowan@partner.example.net --schedules 101-103", 3, rowanOn101, missing],
    ["who 1 --schedules 101,105", 3, /^.*\n *101 .*\n$/, forbidden],
    ["recipients 105", 3, "", /No run known to be successful lists anybody/],
    ["recipients 106,107", 3, "", /^2 successful runs have no start or not all recipients\nNo run/],
    ["who eve@example.com --schedules 101,102", 0, "", nobody],
  ]);
});
