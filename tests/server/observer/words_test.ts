import { assertEquals } from "@std/assert";
import { evidenceLines, summaryOf } from "../../../server/observer/words.ts";
import { event } from "./events.ts";

Deno.test("summaryOf: says as the pages do what a schedule's incident is, and what the service's is", () => {
  assertEquals(
    summaryOf(event()),
    "Schedule 101 (Sales <b>): failing for 2 runs, since 2026-03-10 06:00 UTC",
  );
  assertEquals(
    summaryOf(event("incident.acknowledged", { code: "missed", acknowledgedBy: "Ada" })),
    "Acknowledged by Ada: Schedule 101 (Sales <b>): 2 runs missed (inferred), since 2026-03-10 06:00 UTC",
  );
  const ofService = (code: string, evidence: Record<string, number | string>) => {
    const { data, ...rest } = event("incident.resolved", { code });
    const reason = { since: null, runs: [], evidence };
    return summaryOf({ ...rest, data: { ...data, schedule: null, reason } });
  };
  assertEquals(
    [
      ofService("unreadable", { failure: "The service did not answer in time" }),
      ofService("clock", { serviceIsAheadBySeconds: -90 }),
      ofService("of-another-version", {}),
    ],
    [
      "Resolved: The service: can't be read",
      "Resolved: The service: its clock is off",
      "Resolved: The service: incident of-another-version",
    ],
  );
});

Deno.test("evidenceLines: names and values as on the pages, without what is not known or not so", () => {
  const { data, ...rest } = event();
  const evidence = {
    count: 2,
    lastGood: Date.parse("2026-03-09T06:00:00Z"),
    graceMs: 300_000,
    confirmed: true,
    reachesBack: false,
    next: null,
  };
  const reason = { since: null, runs: [4, 5], evidence };
  assertEquals(evidenceLines({ ...rest, data: { ...data, reason } }).slice(-5), [
    "Runs: 4, 5",
    "Failed runs: 2",
    "Last success: 2026-03-09 06:00 UTC",
    "Grace: 5 min",
    "Plan: confirmed",
  ]);
});

Deno.test("evidenceLines: durations, sizes and how often, each with its unit", () => {
  const linesOf = (code: string, before: number, after: number) => {
    const { data, ...rest } = event("incident.opened", { code, flaps: 1 });
    const reason = { since: null, runs: [], evidence: { before, after, factor: after / before } };
    return evidenceLines({ ...rest, data: { ...data, reason } }).slice(1);
  };
  assertEquals(linesOf("slower", 60_000, 180_000), [
    "Opened again: 1 time",
    "Before: 1 min",
    "After: 3 min",
  ]);
  assertEquals(linesOf("size-jump", 2e12, 4e10).slice(1), ["Before: 2.0 TB", "After: 40.0 GB"]);
});
