/** The parts of Today, incidents and owners in their states. */
import { Refused } from "../../components/ui/form.tsx";
import type { VNode } from "preact";
import { OverviewFilterLine } from "../../components/runs/overview/overview_filter.tsx";
import { ScheduleTable } from "../../routes/(console)/schedules/_schedule_table.tsx";
import { ChosenActions } from "../../routes/(console)/schedules/_watch_forms.tsx";
import { OwnerForm } from "../../routes/(console)/owners/_owner_form.tsx";
import { LaterToday, NeedsAttention, WhoIsNotified } from "../../routes/(console)/_today.tsx";
import {
  DeliveryState,
  IncidentNotified,
  Timeline,
} from "../../routes/(console)/incidents/_incident.tsx";
import { IncidentRow } from "../../routes/(console)/incidents/_incident_rows.tsx";
import { IncidentActions } from "../../routes/(console)/incidents/_incident_actions.tsx";
import { Observation } from "../../routes/(console)/schedules/[scheduleId]/_observation.tsx";
import { type ScheduleOfDay, summarizeDay } from "../../lib/judgement/day_summary.ts";
import { type Headline, HEADLINES } from "../../lib/judgement/headline.ts";
import type { Silence } from "../../lib/judgement/incidents/incident.ts";
import { DAY, HOUR } from "../../lib/time_units.ts";
import { sampleReason } from "../sample_reasons.ts";

const NOW = Date.parse("2026-11-23T06:05:00Z");
const DAY_START = Date.parse("2026-11-22T23:00:00Z");
const TODAY = { from: DAY_START, to: DAY_START + DAY, now: NOW };

const muted: Silence = {
  ...{ kind: "muted", until: NOW + 25 * HOUR, person: "Bo", note: "stocktaking" },
  ...{ incidentId: null, scheduleId: 103 },
};
type ScheduleRow = Parameters<typeof ScheduleTable>[0]["rows"][number];
const failed = [{ at: NOW - HOUR, outcome: "failed", run: null }] as const;
const row = {
  ...{ scheduleId: 102, name: "Claims", isWatched: true, reportTitle: "Open claims" },
  ...{ owner: "Finance", headline: "failing", sentence: "Failing for 1 run." },
  ...{ isRead: true, failure: null, planSource: "inferred" },
  plan: { words: "daily at 05:30", timesIn: null, plannedIn: "UTC" },
  ...{ planned: failed, lastSuccess: NOW - 25 * HOUR, people: 6, nextDue: NOW + 22 * HOUR },
  silences: [],
} as unknown as ScheduleRow;
const blank: ScheduleRow = {
  ...row,
  ...{ scheduleId: 103, reportTitle: "", owner: "", headline: "unknown", sentence: "" },
  ...{ plan: null, planSource: null, planned: [], lastSuccess: null, people: null },
  ...{ nextDue: null, silences: [muted, { ...muted, kind: "paused", until: null }] },
};
const unread = { ...blank, isRead: false, silences: [] };

const none = Object.fromEntries(HEADLINES.map((each) => [each, 0])) as Record<Headline, number>;
const counts = { ...none, failing: 1200, unknown: 3, healthy: 5 };

type Needs = Parameters<typeof NeedsAttention>[0];
type AttentionRow = NonNullable<Needs["needed"]["items"][number]["row"]>;
const attention = {
  ...{ id: "a", code: "failing", reason: { code: "failing", severity: "critical" } },
  ...{ scheduleId: 102, run: null, name: "Claims", owner: "Finance", resolved: null },
  ...{ summary: "failing for 7 runs", since: NOW - 50 * HOUR, opened: NOW - 26 * HOUR },
  ...{ acknowledgedBy: null, planned: failed, lastSuccess: NOW - 50 * HOUR, people: 7 },
  undecided: [],
  sent: [{ outlet: "webhook", at: NOW - HOUR }],
  unsent: ["mail", "pager"].map((outlet) => ({
    ...{ outlet, label: outlet, sent: null, waiting: 1 },
    ...{ failingSince: NOW - HOUR, waitingSince: NOW - HOUR, givenUp: null },
  })),
  silences: [],
} as unknown as AttentionRow;
const rowsOf = (...rows: readonly AttentionRow[]) => ({
  items: rows.map((row) => ({ code: row.code, row, group: null })),
  total: rows.length,
});
function needs(more: Partial<Needs>): VNode {
  const nothing = { items: [], total: 0 };
  return (
    <NeedsAttention
      {...{ needed: nothing, ownedByLeavers: nothing, acknowledged: 0, silenced: nothing }}
      {...{ unjudged: "none", now: NOW, next: "/?state=failing" }}
      {...more}
    />
  );
}
const group: NonNullable<Needs["needed"]["items"][number]["group"]> = {
  ...{ code: "overdue", severity: "critical", count: 14, schedules: 14, since: NOW - 5 * HOUR },
  named: [{ scheduleId: 102, name: "Claims" }],
};
const flaky: typeof group = {
  ...{ ...group, code: "flaky", schedules: 2, since: null },
  named: [...group.named, { scheduleId: 103, name: "Stock" }],
};

const planned = [5, 8, 9, 10, 11, 12, 13, 14].map((hour) => (
  { at: DAY_START + hour * HOUR, outcome: hour < 6 ? "met" : "due", run: null } as const
));
const orders: ScheduleOfDay = {
  ...{ scheduleId: 6, name: "Orders", headline: "healthy", people: 0, reached: null },
  planned,
};

const reports = (count: number) =>
  summarizeDay(
    Array.from({ length: count }, (_, at) => (
      {
        ...orders,
        scheduleId: at + 7,
        name: at === 0 ? "" : "Feed",
        planned: planned.slice(3, 4 + at % 2),
      }
    )),
    TODAY,
  );

type Delivery = NonNullable<Parameters<typeof IncidentNotified>[0]["outlets"][0]["delivery"]>;
const delivery = {
  ...{ id: "d-1", outlet: "webhook", sent: NOW, next: null, isInTurn: true },
  ...{ givenUp: false, error: null, isRemoved: false },
} as unknown as Delivery;
const refused = { ...delivery, id: "d-2", outlet: "mail", sent: null, next: NOW, error: "no" };

type IncidentView = Parameters<typeof IncidentActions>[0]["view"];
const view: IncidentView = {
  ...{ id: "i-1", scheduleId: 101, isOpen: true, isReopenable: false, isAcknowledged: false },
  ...{ isMuted: false, isGap: false, isWatched: true, isScheduleMuted: false, isPaused: false },
  ...{ hasLevel: false, isExpected: false, pauses: [] },
};
function actions(more: Partial<IncidentView>): VNode {
  return <IncidentActions view={{ ...view, ...more }} />;
}
/** A part after its form was sent and not done. */
function afterRefusal(part: VNode, fields = {}, issues = {}): VNode {
  const typed = new URLSearchParams(fields);
  return <Refused.Provider value={{ typed, issues, errors: [] }}>{part}</Refused.Provider>;
}

type Observed = Parameters<typeof Observation>[0]["observed"];
function observation(more: Partial<Observed>) {
  const polled = NOW - 2 * HOUR;
  const nothing = { polled, isDue: false, silences: [], failure: null, incidents: [] };
  return (
    <Observation
      observed={{ created: NOW, ...nothing, ...more }}
      loaded={{ runs: [], stopped: "end", olderUnread: false, newerUnread: false }}
      scheduleId={9}
    />
  );
}
const found = { id: "i-1", code: "failing", summary: "Failing for 2 runs", opened: NOW - 2 * HOUR };
const outlet = {
  ...{ outlet: "mail", label: "mail", sent: NOW - HOUR },
  ...{ waiting: 0, failingSince: null, waitingSince: null, givenUp: null },
};

/** Each part by its name and state. */
export const WATCH_PARTS: Readonly<Record<string, VNode>> = {
  "schedules": (
    <ScheduleTable
      rows={[row, blank, { ...row, isWatched: false, people: 0, nextDue: NOW - HOUR }, unread, {
        ...unread,
        failure: "busy",
      }]}
      hasActions
    />
  ),
  "actions on schedules: some are not watched, as many as can be, and more": (
    <>
      {[1, 5000, 5001].map((unwatched) => <ChosenActions key={unwatched} {...{ unwatched }} />)}
    </>
  ),
  "filter of schedules": (
    <>
      <OverviewFilterLine counts={counts} filter={{ headline: "unknown", text: "a&b" }} />
      <OverviewFilterLine
        counts={counts}
        lists={{ known: 1201, watched: 1200, unwatched: 1 }}
        filter={{}}
        path="/schedules"
      />
      <OverviewFilterLine counts={counts} filter={{ headline: "missed" }} />
    </>
  ),
  "what needs attention": needs({
    needed: { ...rowsOf(attention), total: 9 },
    ownedByLeavers: { items: [{ name: "Stock", scheduleId: 103 }], total: 3 },
    acknowledged: 1,
    silenced: {
      items: [
        { name: "Stock", silence: { ...muted, incidentId: "c" } },
        { name: "Feed", silence: muted },
      ],
      total: 2,
    },
  }),
  "what needs attention: one cause": needs({
    needed: { items: [{ code: "overdue", row: null, group }], total: 14 },
  }),
  "what needs attention: an unknown status, and of nobody": needs({
    needed: rowsOf(
      {
        ...{ ...attention, reason: sampleReason("clock") },
        ...{ code: "unknown-status", run: { scheduleId: 101, runId: 9 } },
      },
      { ...attention, code: "overdue", people: 1 },
      { ...attention, people: 0 },
    ),
  }),
  "what needs attention: another cause, each by name": needs({
    needed: { items: [{ code: "flaky", row: null, group: flaky }], total: 14 },
  }),
  "incidents: one that is acknowledged, one that is over": (
    <>
      <IncidentRow
        row={{
          ...{ ...attention, since: null, acknowledgedBy: "Ada" },
          unsent: [{ ...outlet, incidentId: "1", waitingSince: NOW }],
        }}
      />
      <IncidentRow row={{ ...attention, owner: "", planned: [], resolved: NOW }} />
    </>
  ),
  "what needs attention: nothing": needs({}),
  "later today": <LaterToday summary={summarizeDay([orders], TODAY)} unjudged="none" />,
  "later today: as many as are shown, and one more": (
    <>
      {[6, 7].map((count) => <LaterToday key={count} summary={reports(count)} unjudged="none" />)}
    </>
  ),
  "later today: nothing": <LaterToday summary={summarizeDay([], TODAY)} unjudged="some" />,
  "notifications": (
    <WhoIsNotified
      shown={[outlet, { ...outlet, label: "webhook", waiting: 4, failingSince: NOW - HOUR }]}
      others={2}
    />
  ),
  "notifications: nobody": <WhoIsNotified shown={[]} others={0} />,
  "owner, with a wrong channel": afterRefusal(
    <OwnerForm
      action="/owners/Finance"
      button="Save"
      fields={{ owner: "Finance", from: "20:00", holdsCritical: "on" }}
      shown={{ slack: "hooks.slack.com" }}
    />,
    {},
    { teams: "must be a URL" },
  ),
  "messages": (
    <ul>
      {[
        delivery,
        refused,
        { ...refused, error: null },
        { ...refused, next: null, givenUp: true },
        { ...delivery, error: "refused by one" },
        { ...refused, error: null, isInTurn: false },
        { ...refused, next: null },
        { ...delivery, next: NOW },
      ].map((each, at) => (
        <li key={at}>
          <DeliveryState {...each} />
        </li>
      ))}
    </ul>
  ),
  "incident: open": afterRefusal(actions({}), {
    ...{ name: "Ada", note: "disk", span: "4h", action: "mute" },
  }),
  "incident: acknowledged and muted": actions({ isAcknowledged: true, isMuted: true }),
  "incident: resolved by a person": actions({ isOpen: false, isReopenable: true }),
  "incident: resolved, muted and paused": actions({
    ...{ isOpen: false, isScheduleMuted: true, isPaused: true },
  }),
  "incident: of what is no longer watched": actions({ isOpen: false, isWatched: false }),
  "incident: of the service": actions({ isOpen: false, scheduleId: null }),
  "incident: a gap": actions({ isGap: true }),
  "timeline of an incident": (
    <Timeline
      timeline={[
        { at: NOW, words: "message “opened”", deliveries: [delivery, refused] },
        { at: NOW, words: "muted", person: "Ada", note: "until 2026-11-23T09:00Z; disk" },
        { at: NOW, words: "failed", isBad: true, run: { scheduleId: 1, runId: 2 } },
      ]}
      isCut
    />
  ),
  "who was notified": (
    <IncidentNotified
      outlets={[
        { ...outlet, outlet: "webhook", label: "default webhook", delivery },
        { ...outlet, waiting: 1, failingSince: NOW - HOUR, delivery: refused },
        { ...outlet, outlet: "alertmanager", label: "Alertmanager", sent: null, delivery: null },
      ]}
      isMuted
    />
  ),
  "who was notified: nobody": <IncidentNotified outlets={[]} isMuted={false} />,
  "checked": observation({}),
  "checked: never": observation({ polled: null }),
  "checked: it never succeeded": observation({ polled: null, failure: "it was busy" }),
  "checked: now": observation({ isDue: true }),
  "checked: with incidents": observation({
    incidents: [
      { ...found, acknowledgedBy: null },
      { ...found, id: "i-2", acknowledgedBy: "Ada" },
      { ...found, id: "i-3", code: "outside-recipient", acknowledgedBy: null },
    ] as unknown as Observed["incidents"],
  }),
};
