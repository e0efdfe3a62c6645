/** The command line against services that differ where the interface is open. */
import { assertEquals } from "@std/assert";
import type { Profile } from "../../lib/testing/mod.ts";
import { world } from "./world.ts";

const NOTE = "The service does not know LIKE, so Docket filtered all 250 file sets itself\n";

for (const profile of ["documented", "vendor", "minimal", "strict"] satisfies Profile[]) {
  const note = profile === "minimal" ? NOTE : "";

  Deno.test(`docket filesets: finds by name, some or all, of a ${profile} service`, async () => {
    const { docket } = world({ profile });
    const page = await docket("filesets", '"SET 12"', "--limit", "5", "--columns", "name");
    assertEquals([page.code, page.out.trim().split("\n").length], [0, 6]);
    assertEquals(page.err, `${note}5 of 11 file sets; --all writes every one\n`);
    const all = await docket(
      "filesets",
      '"SET 12"',
      "--all",
      "--format",
      "csv",
      "--columns",
      "name",
    );
    assertEquals([all.code, all.err, all.out.trim().split("\r\n").length], [0, note, 12]);
    const total = await docket("filesets", "--limit", "1", "--json", "--offset", "249");
    assertEquals([total.code, JSON.parse(total.out).length, total.err], [0, 1, ""]);
  });
}
