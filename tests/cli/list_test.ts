import { assertEquals, assertStringIncludes } from "@std/assert";
import { makeFileSets } from "../../lib/testing/mod.ts";
import { world } from "./world.ts";

Deno.test("docket filesets: a table of what matches the query", async () => {
  const query = "-owner:ann,bob created:2025.. sort:-name";
  const { code, out } = await world().docket(
    `filesets ${query} --limit 2 --columns name,fileCount`,
  );
  assertEquals(out, "name         fileCount\nFile set 98         18\nFile set 95         15\n");
  assertEquals(code, 0);
});

Deno.test("docket filesets: a query is one argument or several, its days are those of --zone", async () => {
  const { docket, service } = world();
  const args = ["-permission:READ", "payroll created:2026-01", "owner:ann"];
  for (const query of [args, [args.join(" ")]]) {
    const { code, err } = await docket("filesets", ...query, "--zone", "Europe/Berlin");
    assertEquals([code, err.includes("Usage")], [0, false]);
    assertEquals(JSON.parse(service.requests.at(-1)!.body!), {
      filters: [
        { field: "permission", operator: "EQUALS", value: ["READ"], not: true },
        { field: "name", operator: "LIKE", value: ["payroll"] },
        { field: "owner", operator: "EQUALS", value: ["ann"] },
      ],
      dateFilters: [
        { field: "created", start: "2025-12-31T23:00:00Z", end: "2026-01-31T23:00:00Z" },
      ],
    });
  }
});

Deno.test("docket filesets: a query may begin with a word that a hyphen negates", async () => {
  for (const word of ["payroll", "has", '"limit"']) {
    const { docket, service } = world();
    const { code } = await docket("filesets", `-${word}`, "--columns", "id", "--limit", "2");
    assertEquals(code, 0, word);
    assertEquals(JSON.parse(service.requests[0].body!).filters, [
      { field: "name", operator: "LIKE", value: [word.replaceAll('"', "")], not: true },
    ]);
  }
});

Deno.test("docket filesets: every format, some rows or all", async () => {
  const { docket } = world();
  const page = await docket("filesets", "--limit", "3", "--offset", "247", "--format", "json");
  assertEquals(JSON.parse(page.out), makeFileSets(3, 247));
  assertEquals((await docket("filesets", "--offset", "999", "--format", "json")).out, "[]\n");
  const all = async (...args: string[]) => (await docket("filesets", "--all", ...args)).out;
  const lines = (await all("--format", "ndjson")).trimEnd().split("\n");
  assertEquals(lines.map((line) => JSON.parse(line)), makeFileSets(250));
  assertEquals(JSON.parse(await all("--json")), makeFileSets(250));
  const csv = (await all("--format", "csv", "--columns", "id,owner")).split("\r\n");
  assertEquals([csv.length, csv[1]], [252, "00000000-0000-4000-8000-000000000000,ann"]);
  assertEquals((await all("--columns", "name")).split("\n").length, 252);
  const chosen = await all("--format", "ndjson", "--columns", "name");
  assertEquals(chosen.split("\n")[0], `{"name":"File set 0"}`);
});

Deno.test("docket: where nothing is found, it says so and what may be meant", async () => {
  const { docket } = world({ runs: { 103: [] } }, { isTerminal: true });
  const nobody = ["owner:nobody"];
  const said = "No file sets match. The whole value of owner has to match, in the same case. " +
    "For a part, in any case, write owner:~ and the text.\n";
  for (const all of [[], ["--all"]]) {
    // What comes before is the progress line, which is taken away.
    const lastOf = ({ err }: { err: string }) => err.split("\x1b[K").at(-1);
    assertEquals(lastOf(await docket("filesets", ...nobody, ...all)), said);
    assertEquals(lastOf(await docket("history", "103", ...all)), "No runs\n");
  }
  const far = await docket("filesets", "--offset", "999");
  assertEquals(far.err, "No file sets after the first 999\n");
  assertEquals((await docket("filesets", "nothing", "--json")).err, "No file sets match.\n");
  const none = world({ fileSets: [] });
  assertEquals((await none.docket("filesets")).err, "There are no file sets yet\n");
  assertEquals((await none.docket("filesets", ...nobody, "--json")).err, "");
});

Deno.test("docket history: runs, and one row a recipient", async () => {
  const { docket } = world();
  const runs = await docket("history", "101", "--all", "--format", "csv", "--columns", "id,status");
  assertEquals(runs.out.split("\r\n").slice(0, 2), ["id,status", "120,failure"]);
  assertEquals(runs.out.split("\r\n").length, 122);
  const recipients = await docket("history", "101", "--all", "--recipients", "--format", "csv");
  assertEquals(recipients.out.split("\r\n").length, 242);
  const first = "120,2025-05-01T06:00:00.000Z,failure,1,Ann,ann@example.com";
  assertStringIncludes(recipients.out, first);
  assertEquals((await docket("history", "101", "--columns", "recipients", "--json")).code, 0);
  const both = await docket("history", "101", "--recipients", "--columns", "cardCount,userId");
  assertEquals([both.code, both.out.split("\n")[0]], [0, "cardCount  userId"]);
});

Deno.test("docket filesets: finds by name where the service does not know LIKE, and says so", async () => {
  const { docket } = world({ profile: "minimal" });
  const note = "The service does not know LIKE, so Docket filtered all 250 file sets itself\n";
  const page = await docket("filesets", '"SET 12"', "--limit", "5", "--columns", "name");
  assertEquals([page.code, page.out.trim().split("\n").length], [0, 6]);
  assertEquals(page.err, `${note}5 of 11 file sets; --all writes every one\n`);
  const csv = ["--all", "--format", "csv", "--columns", "name"];
  const all = await docket("filesets", '"SET 12"', ...csv);
  assertEquals([all.code, all.err, all.out.trim().split("\r\n").length], [0, note, 12]);
});
