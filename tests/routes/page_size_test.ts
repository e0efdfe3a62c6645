import { assert, assertEquals } from "@std/assert";
import { signIn } from "../app.ts";
import { withAppInFront } from "../service_on_port.ts";

const LONG = "x".repeat(10_000);

Deno.test("[e2e] pages: stay small however long an upstream's texts and lists are", () => {
  const long = { name: LONG, description: LONG, owner: LONG };
  const fileSets = Array.from({ length: 100 }, (_, at) => ({ id: `id-${at}`, ...long }));
  const recipients = Array.from({ length: 3000 }, (_, at) => ({
    userId: at,
    displayName: `Person ${at}`,
    emailAddress: `person${at}@example${at}.com`,
  }));
  const runs = [2, 1].map((id) => ({
    ...{ id, status: "success", reportTitle: LONG, recipients: id === 2 ? recipients : [] },
    ...{ startTime: `2026-01-0${id}T00:00:00Z`, endTime: `2026-01-0${id}T01:00:00Z` },
  }));
  return withAppInFront({ fileSets, runs: { 7: runs } }, async (app) => {
    const { get } = await signIn(app);
    for (const path of ["/filesets", "/filesets?new-field=owner", "/filesets?open=id-1"]) {
      const { text } = await get(path);
      assert(text.includes(`${"x".repeat(1000)}…`) && !text.includes("x".repeat(1001)), path);
      assert(text.length < 2_000_000, `${path}: ${text.length}`);
    }
    for (const path of ["", "/runs/2", "/plan"]) {
      const { status, text } = await get(`/schedules/7${path}`);
      assertEquals(status, 200, path);
      assert(text.length < 2_500_000, `${path}: ${text.length}`);
      if (path === "/runs/2") assert(/Only the first (<!-- -->)?1,?.?000/.test(text), path);
    }
  });
});
