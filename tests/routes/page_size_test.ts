import { assert, assertEquals } from "@std/assert";
import { signIn } from "../app.ts";
import { withAppInFront } from "../upstream.ts";

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
  return withAppInFront({ fileSets, runs: { 7: runs } }, async (app) => {
    const { get } = await signIn(app);
    const fileSetPaths = ["/filesets", "/filesets?new-field=owner", "/filesets?open=id-1"];
    for (const path of [...fileSetPaths, "/schedules/7", "/schedules/7/runs/2"]) {
      const { status, text } = await get(path);
      assertEquals([status, text.includes("x".repeat(1001))], [200, false], path);
      assert(text.length < 2_000_000, `${path}: ${text.length}`);
    }
  });
});
