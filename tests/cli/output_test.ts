import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { world } from "./world.ts";

Deno.test("docket: control characters of the service do not reach the terminal", async () => {
  const [name, shown] = ["\x1b[31mred\x07\u2028\u202e", "\ufffd[31mred\ufffd\ufffd\ufffd"];
  const { docket } = world({ fileSets: [{ id: "a", name }] });
  assertEquals((await docket("filesets", "--columns", "name")).out, `name\n${shown}\n`);
  const body = JSON.stringify({ detail: name });
  const failing = world({ faults: () => ({ kind: "status", status: 409, body }) });
  const { err } = await failing.docket("filesets", "--debug");
  assertEquals(err.match(/409: .{5}red.{3}/g), [`409: ${shown}`]);
});

Deno.test("docket: an answer without a problem document is shown, with its request id", async () => {
  const full = { status: 409, body: "full", headers: { "x-request-id": "r7" } };
  const { code, err } = await world({ faults: () => ({ kind: "status", ...full }) })
    .docket("filesets");
  const message = "The request to search file sets failed: status 409\n  full\n  request id r7\n";
  assertEquals([code, err], [1, message]);
});

Deno.test("docket: tables fit the terminal, or 80 characters, and say what they cut", async () => {
  const long = { name: "n".repeat(40), description: "d".repeat(40) };
  const fileSets = [{ id: "a", ...long, fileCount: 7, updated: "2026-01-31T08:00:00Z" }];
  const args = ["filesets", "--columns", "id,updated,name,description,fileCount"];
  const shown = await world({ fileSets }, { isTerminal: true, columns: 60 }).docket(...args);
  const lines = shown.out.trimEnd().split("\n");
  assert(lines.every((line) => [...line].length <= 60), shown.out);
  assertStringIncludes(lines[1], "…");
  const remedy = "--columns chooses, and --format csv writes everything";
  assertEquals(shown.err, `To fit 60 characters, the table cut name, description; ${remedy}\n`);
  const piped = await world({ fileSets }).docket(...args);
  assertEquals(piped.out.split("\n").map((line) => line.length), [80, 80, 0]);
  assertEquals((await world({ fileSets }).docket(...args, "--json")).err, "");
});

Deno.test("docket: tables have few columns that are short to read, unless others are chosen", async () => {
  const [run] = makeRuns(1);
  const runs = {
    101: [
      { ...run, endTime: "2025-01-02T06:02:05.000Z", emailSize: 1_400_000, recipientCount: 6 },
      { id: 5, startTime: "2025-01-01 05:00", status: "success" },
    ],
  };
  const { docket } = world({ runs });
  const table = "started            status   took        people         size\n" +
    "2025-01-02T06:00Z  success  2 min 05 s  2 (claimed 6)  1.4 MB\n2025-01-01 05:00   success\n";
  assertEquals((await docket("history", "101")).out, table);
  const columnsOf = async (words: string) =>
    (await docket(words)).out.split("\n")[0].split(/ +/).join();
  assertEquals(await columnsOf("filesets"), "name,owner,permission,files,updated");
  const recipients = await columnsOf("history 101 --recipients");
  assertEquals(recipients, "started,status,displayName,emailAddress");
  assertEquals(await columnsOf("history 101 --columns id,took,automated"), "id,took,automated");
  const unnamed = world({ fileSets: [{ id: "a", region: "EU" } as never] });
  const { out } = await unnamed.docket("filesets", "--columns", "id,region", "--format", "csv");
  assertEquals(out, "id,region\r\na,EU\r\n");
  assertEquals((await unnamed.docket("filesets", "--columns", "name")).out, "name\na\n");
});

Deno.test("docket: what the service can't use is said once, by the names of options", async () => {
  const problem = {
    title: "The request is not valid",
    detail: "/filters/0/field must be one of id, name",
    errors: [
      { pointer: "/filters/0/field", detail: "must be one of id, name" },
      { parameter: "offset", detail: "must be less" },
    ],
  };
  const { docket } = world({
    faults: () => ({ kind: "status", status: 400, body: JSON.stringify(problem) }),
  });
  assertEquals(await docket("filesets", "owner:a", "--offset", "5"), {
    code: 2,
    out: "",
    err: "The request to search file sets failed: status 400\n" +
      "  filters/0/field: must be one of id, name\n" +
      "  --offset: must be less\n",
  });
});

Deno.test("docket: why the network failed is said once", async () => {
  const { docket } = world({ faults: () => ({ kind: "reset", at: "headers" }) });
  const { code, err } = await docket("filesets");
  assertEquals(code, 1);
  const message = "The request to search file sets failed: the service could not be reached: " +
    "connection reset, after 3 attempts\n  check DOCKET_URL, https://service.example\n";
  assertEquals(err, message);
});

Deno.test("docket: an error of the connection names the host and the setting", async () => {
  const refused = "was rejected by https://service.example\n";
  const other = world({ token: "another" });
  assertStringIncludes((await other.docket("filesets")).err, `\n  DOCKET_TOKEN ${refused}`);
  other.files.set("token.txt", "x");
  const named = await other.docket("filesets", "--token-file", "token.txt");
  assertStringIncludes(named.err, `\n  The token in token.txt ${refused}`);
  const forbidden = world({ faults: () => ({ kind: "status", status: 403 }) });
  const denied = await forbidden.docket("history", "101");
  assertStringIncludes(denied.err, "service.example does not allow this with DOCKET_TOKEN\n");
  const html = await world({ faults: () => ({ kind: "html" }) }).docket("filesets");
  assertStringIncludes(html.err, "The answer is a web page: check DOCKET_URL, https://service.");
  const gone = world({ faults: () => ({ kind: "status", status: 404, body: "<html>" }) });
  const { err } = await gone.docket("judge", "101");
  assertStringIncludes(err, "The answer is a web page: it is not there, or check DOCKET_URL");
});
