import { assertEquals, assertObjectMatch } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import type { JudgeOptions, Recipient, ReportRun } from "../../../lib/mod.ts";
import type { Decision } from "../../../lib/judgement/facts.ts";
import { judgeAt, momentsFrom, runsAt } from "./runs_at.ts";

const BEGIN = Date.UTC(2026, 0, 1, 6);
const NOW = BEGIN + 39 * DAY + DAY / 2;

/** Daily runs to two people. */
function daily(change: (run: ReportRun, day: number) => Partial<ReportRun>) {
  const unknown = { emailAddress: "b@example.com" };
  const recipients = [{ userId: 1, emailAddress: "a@example.com" }, unknown];
  return runsAt(momentsFrom(BEGIN, 40), 60_000).map((each, day) => {
    const run = { ...each, attachmentSize: 500_000 + day, recipients };
    return { ...run, ...change(run, day) };
  });
}

/** The last five runs go to somebody else, too. */
const alsoTo = (other: Recipient) =>
  daily(({ recipients }, day) => day < 35 ? {} : { recipients: [...recipients!, other] });

function significant(runs: readonly ReportRun[], options: Partial<JudgeOptions>) {
  return judgeAt(NOW, runs, options).reasons.filter(({ severity }) => severity !== "info");
}

function codes(runs: readonly ReportRun[], ...decisions: Decision[]) {
  return significant(runs, { decisions }).map(({ code }) => code);
}

Deno.test("judgeSchedule: an outside address is one however long a comment makes it", () => {
  const comment = `(${"x".repeat(400)})`;
  const written = [`${comment}eve@partner.example`, `eve@partner.example${comment}`];
  for (const emailAddress of [...written, `${comment}eve@gmail.com`]) {
    assertEquals(codes(alsoTo({ emailAddress })), ["outside-recipient"], emailAddress);
  }
});

Deno.test("judgeSchedule: an outside recipient whom somebody expects is no reason until that ends", () => {
  const runs = alsoTo({ userId: 9, emailAddress: "Rowan@partner.example.net" });
  const always = { expected: true, until: null };
  const person = { kind: "recipient", recipient: { userId: 9 } } as const;
  const domain = { kind: "domain", domain: "PARTNER.example.net" } as const;
  assertEquals(codes(runs), ["outside-recipient"]);
  assertEquals(codes(runs, { ...person, ...always }), []);
  assertEquals(codes(runs, { ...domain, ...always }), []);
  assertEquals(codes(runs, { ...person, expected: true, until: NOW + 1 }), []);
  assertEquals(codes(runs, { ...person, expected: true, until: NOW }), ["outside-recipient"]);
  assertEquals(codes(runs, { ...person, expected: false, until: null }), ["outside-recipient"]);
  const newcomers = (decisions: Decision[]) =>
    judgeAt(NOW, runs, { decisions }).newcomers
      .map(({ domain, recipient }) => `${recipient.userId} ${domain}`);
  assertEquals(newcomers([]), ["9 partner.example.net"]);
  assertEquals(newcomers([{ ...person, ...always }]), []);
});

Deno.test("judgeSchedule: a level that somebody expects is usual at once", () => {
  const larger = daily((_, day) => day < 35 ? {} : { attachmentSize: 9_000_000 });
  const empty = daily((_, day) => ({ cardCount: day < 38 ? 4 : 0 }));
  const expected = (run: number) => ({ kind: "level", run, expected: true, until: null }) as const;
  assertEquals([codes(larger), codes(larger, expected(35))], [["size-jump"], []]);
  assertEquals([codes(larger, expected(34)), codes(empty)], [["size-jump"], ["empty-delivery"]]);
  assertEquals(codes(empty, expected(38)), []);
});

Deno.test("judgeSchedule: people who left are one reason while successful runs list them", () => {
  const leavers = [
    { recipient: { userId: 1 }, left: BEGIN + 30 * DAY + 1 },
    { recipient: { emailAddress: "B@example.com" }, left: BEGIN + 36 * DAY },
    { recipient: { userId: 7 }, left: 0 },
  ];
  const [reason, ...others] = significant(daily(() => ({})), { leavers });
  assertEquals(others, []);
  assertEquals([reason.code, reason.severity], ["leaver-recipient", "critical"]);
  assertEquals(reason.since, BEGIN + 31 * DAY);
  assertObjectMatch(reason, { count: 2, newest: BEGIN + 36 * DAY });
  assertEquals(reason.runs, [39, 38, 37, 36, 35, 34, 33, 32, 31]);
  // A user id of several addresses is nobody's.
  const shared = ["a", "d"].map((name) => ({ userId: 1, emailAddress: `${name}@example.com` }));
  const toBoth = daily(() => ({ recipients: shared }));
  const twice = daily(({ recipients }) => ({ recipients: [...recipients!, ...recipients!] }));
  assertObjectMatch(significant(twice, { leavers })[0], { count: 2 });
  assertEquals(significant(toBoth, { leavers: leavers.slice(0, 1) }), []);
  const stranger = [{ emailAddress: "c@example.com" }];
  const without = daily((_, day) => day < 39 ? {} : { recipients: stranger });
  assertEquals(significant(without, { leavers }), []);
  const toNobody = daily((_, day) => day < 39 ? {} : { recipients: [] });
  assertEquals(significant(toNobody, { leavers }).map(({ code }) => code), ["sent-to-nobody"]);
  const failed = daily((_, day) => day < 31 ? {} : { status: "failure" });
  const first = { leavers: leavers.slice(0, 1) };
  assertEquals(significant(failed, first).map(({ code }) => code), ["failing"]);
  const decisions = leavers.map(({ recipient }) =>
    ({ kind: "recipient", recipient, expected: true, until: null }) as const
  );
  assertEquals(significant(daily(() => ({})), { leavers, decisions }), []);
});

Deno.test("judgeSchedule: a size that JSON.parse took as infinite says nothing", () => {
  const runs = daily((_, day) => day < 35 ? {} : { attachmentSize: JSON.parse("1e999") });
  assertEquals(codes(runs), []);
});
