import { assertEquals } from "@std/assert";
import { world } from "./world.ts";

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
