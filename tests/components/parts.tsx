/** Every part of the pages in its states: the text of each is compared, and a browser looks at all. */
import type { VNode } from "preact";
import { Drawer, FileSetTable, NothingFound } from "../../components/file_sets/found_file_sets.tsx";
import { FacetsPanel } from "../../components/file_sets/facets_panel.tsx";
import { FILE_SETS, fileSetsHref } from "../../components/file_sets/file_sets_view.ts";
import { Footer, MainNavigation } from "../../components/page/shell.tsx";
import { StripLegend } from "../../components/runs/charts/strip.tsx";
import { ErrorNotice, OutageBanner } from "../../components/ui/notices.tsx";
import { ChannelList } from "../../components/runs/owners/channel_list.tsx";
import { StateBadge } from "../../components/runs/verdict/state_badge.tsx";
import { parsePageView } from "../../components/search/parse_page_view.ts";
import { AddCondition, QueryField, SearchForm } from "../../components/search/search_form_view.tsx";
import { SearchMenu } from "../../components/search/search_menu.tsx";
import { When } from "../../components/ui/moment.tsx";
import { Empty, Pager } from "../../components/ui/list.tsx";
import { type ScheduleOfDay, summarizeDay } from "../../lib/judgement/day_summary.ts";
import { type Headline, HEADLINES } from "../../lib/judgement/headline.ts";
import type { PlannedRun } from "../../lib/judgement/judge_schedule.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../lib/time_units.ts";
import {
  ExpectedForm,
  PersonFlags,
  RecipientsEvidence,
} from "../../routes/(console)/people/_parts.tsx";
import { Decisions, PersonHeader, ReceivedTable } from "../../routes/(console)/people/_person.tsx";
import { Lede } from "../../routes/(console)/_today.tsx";
import {
  AskedSchedules,
  SearchFacts,
  ServiceFacts,
  StatusForm,
} from "../../routes/(console)/service/_parts.tsx";
import { countRowFacets } from "../../server/pages/file_set_search.ts";
import { shownAt } from "./rendered.ts";
import { RUN_PARTS } from "./run_parts.tsx";
import { WATCH_PARTS } from "./watch_parts.tsx";

const NOW = Date.parse("2026-11-23T06:05:00Z");
const ZONE = "Europe/Berlin";

const midnight = NOW - 7 * HOUR - 5 * MINUTE;
const dayOf = (...schedules: readonly ScheduleOfDay[]) =>
  summarizeDay(schedules, { from: midnight, to: midnight + DAY, now: NOW });
const reportOf = (
  scheduleId: number,
  name: string,
  headline: Headline,
  outcome: PlannedRun["outcome"],
): ScheduleOfDay => ({
  ...{ scheduleId, name, headline, people: 7, reached: null },
  planned: [
    { at: NOW - HOUR, outcome, run: 1 },
    { at: NOW + HOUR, outcome: "due", run: null },
  ],
});
const calmDay = dayOf(reportOf(101, "Open claims", "healthy", "met"));
const badDay = dayOf(
  reportOf(101, "Open claims", "failing", "failed"),
  reportOf(102, "Sales pipeline", "unknown", "other"),
  reportOf(103, "Payroll", "healthy", "met"),
);
function lede(more: Partial<Parameters<typeof Lede>[0]>): VNode {
  const read = { unread: 0, unreadable: 0, count: 3, needed: 0, summary: calmDay };
  return (
    <div class="today">
      <Lede {...read} {...more} />
    </div>
  );
}

function viewOf(query: string) {
  return parsePageView(new URLSearchParams(query), FILE_SETS, { now: NOW, zone: ZONE }).view;
}

const FULL = {
  id: "0a1b2c3d-4e5f",
  name: "Payroll",
  description: "Of every month",
  owner: "Finance",
  permission: "READ",
  fileCount: 1200,
  created: "2026-01-31T23:30:00Z",
  createdBy: 2027,
  updated: "2026-11-22T05:30:00Z",
  updatedBy: 0,
};
const BARE = { id: "ffffffff-0000", fileCount: 0 };
const [owners, ...facets] = countRowFacets([FULL, BARE], { now: NOW, zone: ZONE }).facets;
const FACETS = { facets: [{ ...owners, others: 1234 }, ...facets], rows: null };
const searched = viewOf("q=owner:Finance+-permission:READ+updated:last-month&sort=-updated,name");
const target = { action: "/filesets", method: "get" } as const;
const page = (view: ReturnType<typeof viewOf>) => ({
  table: FILE_SETS.table,
  view,
  href: fileSetsHref,
  zone: ZONE,
});

const outage = {
  of: "the service" as const,
  ...{ failure: "status 500", failingSince: NOW - HOUR, polled: NOW - HOUR },
};
const offered = { table: FILE_SETS.table, values: { owner: ["Finance"] } };
const wrong = { field: "fileCount", value: "many" };
const error = {
  title: "The service failed",
  detail: "The service answered with status 503.",
  issues: [],
};
const quiet = { waiting: 0, failingSince: null, waitingSince: null, givenUp: null };
const person = {
  id: 1,
  recipient: { displayName: "Ada", userId: 1 },
  ...{ isOutside: false, isNew: false, isExpected: null, lastDay: null, hasLeft: false },
  ...{ isReceiving: true, odd: null },
};
const received = [
  {
    ...{ scheduleId: 101, name: "Sales", first: NOW - DAY, firstRun: 1, last: NOW, lastRun: 2 },
    ...{ runs: 1200, receiving: 1, isAtLeast: true, fromStart: true, decision: undefined },
  },
  {
    ...{ scheduleId: 102, name: "Claims", first: NOW - DAY, firstRun: null, last: NOW },
    ...{ lastRun: 4, runs: 1, receiving: 0, isAtLeast: false, fromStart: false },
  },
] as unknown as Parameters<typeof Decisions>[0]["rows"];
const decision = {
  ...{ id: 7, domain: null, expected: 1, why: "", by: "Bo", at: NOW, until: null, on: "Sales" },
  closed: null,
};
const learned = {
  ...{ whyNot: null, known: 12, polled: NOW - MINUTE },
  ...{ scans: ["ids 1 to 400 scanned on 20 Nov: 12 have runs"], failures: [] },
  ...{ unread: 0, pausedUntil: null, failingSince: null, now: NOW },
  search: { taken: ["EQUALS"], refused: [], unasked: ["LIKE"], givesTotals: true },
};
const unknown = {
  ...learned,
  ...{ known: 0, polled: null, scans: [] },
  search: { taken: [], refused: [], unasked: ["EQUALS", "LIKE"], givesTotals: null },
};
const refusing = {
  ...learned,
  ...{ whyNot: null, unread: 5 },
  failures: [
    { failure: "It let nobody read it (status 403)", schedules: 1, since: NOW - HOUR, first: 7 },
    { failure: "No such schedule (status 404)", schedules: 2, since: null, first: 8 },
  ],
  search: {
    ...{ taken: ["EQUALS"], unasked: ["IN"], givesTotals: false },
    refused: [{ name: "LIKE", until: NOW + HOUR }],
  },
};
type StatusRow = Parameters<typeof StatusForm>[0]["rows"][number];
const statusRow = (status: string, more: Partial<StatusRow>): StatusRow => ({
  ...{ status, runs: 3, schedules: 1, chosen: "", meaning: "good", otherwise: "good" },
  ...{ said: undefined, setting: undefined, sameAs: undefined, ...more },
});
const position = (start: number, count: number, total: number | null) => ({
  ...{ start, count, total, limit: 100 },
});
const pager = (start: number, count: number, total: number | null) => (
  <Pager
    position={position(start, count, total)}
    href={(at) => `?offset=${at}`}
    label="Pages"
  />
);

const ALL: Readonly<Record<string, VNode>> = {
  ...WATCH_PARTS,
  ...RUN_PARTS,
  "navigation, with open incidents": (
    <MainNavigation
      {...{ pathname: "/schedules/102/plan", zone: "Berlin time", goKey: "Ctrl K" }}
      {...{ person: "Ada · reader", openIncidents: 3 }}
    />
  ),
  "footer": <Footer version="1.0" service="embedded service" zone="Europe/Berlin" />,
  "banner of an outage": <OutageBanner {...outage} />,
  "lede: all is well": lede({}),
  "lede: troubles": lede({ summary: badDay, needed: 2 }),
  "lede: calm, but something is open": lede({ needed: 1 }),
  "lede: not all was read yet": lede({ unread: 1, unreadable: 1 }),
  "lede: nothing can be read": lede({ unreadable: 3 }),
  "lede: nothing was read yet": lede({ unread: 2, unreadable: 1 }),
  "states of a schedule": (
    <p>{HEADLINES.map((each) => <StateBadge key={each} headline={each} />)}</p>
  ),
  "what the marks mean": <StripLegend />,
  "facts of a service": <ServiceFacts learned={learned} />,
  "facts of a service: not asked yet": <ServiceFacts learned={unknown} />,
  "facts of a service: it refuses": <ServiceFacts learned={refusing} />,
  "what a service refuses": <SearchFacts {...refusing} />,
  "what a service takes: not asked yet": <SearchFacts {...unknown} />,
  "what a service was asked for": <AskedSchedules {...refusing} />,
  "what a service was asked for: nothing, and one schedule that it refuses": (
    <>
      <AskedSchedules {...unknown} />
      <AskedSchedules {...unknown} failures={refusing.failures.slice(0, 1)} unread={1} />
    </>
  ),
  "meanings of statuses": (
    <StatusForm
      rows={[
        statusRow("ARCHIVED", { meaning: "unknown", otherwise: "unknown" }),
        statusRow("success", { schedules: 2, chosen: "good", said: { by: "Ada", at: NOW } }),
        statusRow("SUCCESS", { runs: 1, sameAs: "success" }),
      ]}
      {...{ unknown: 1, left: 2, added: ["", ""], person: "" }}
    />
  ),
  "pager: in the middle": pager(350, 100, 1000),
  "pager: without a total": pager(50, 100, null),
  "pager: its last page": pager(200, 50, 250),
  "pager: one page": pager(0, 2, 2),
  "pager: past the end": pager(250, 0, null),
  "error": (
    <ErrorNotice
      error={{
        ...error,
        ...{ issues: ["limit: too large"], requestId: "r-1" },
        ...{ needsSignIn: true, retryAfterSeconds: 3600 },
      }}
    />
  ),
  "error: another attempt": (
    <ErrorNotice
      error={{ ...error, mayRetry: true, retryAfterSeconds: 3601 }}
      actions={<a href="/">Today</a>}
    />
  ),
  "times": (
    <ul>
      {[
        ...[0, 59 * SECOND, MINUTE, HOUR - 1, HOUR, 103 * MINUTE, 10 * HOUR - 1, 10.9 * HOUR],
        ...[31 * HOUR, 2 * DAY - 1, 2 * DAY, 8 * DAY, 400 * DAY, -5 * HOUR, -18 * HOUR],
      ].map((ms) => (
        <li key={ms}>
          <When at={NOW - ms} hasDistance />
        </li>
      ))}
    </ul>
  ),
  "people": (
    <ul>
      {[
        { isOutside: true, isNew: true, odd: "looks like example.com" },
        { isOutside: true },
        { isOutside: true, isExpected: true },
        { isExpected: false, lastDay: "2026-09-30", hasLeft: true },
        { lastDay: "2026-09-30", hasLeft: true, isReceiving: false },
        { lastDay: "2026-12-31" },
      ].map((more, at) => (
        <li key={at}>
          <PersonFlags {...{ ...person, ...more }} />
        </li>
      ))}
    </ul>
  ),
  "a person with several addresses": (
    <>
      <PersonHeader
        person={person}
        addresses={["ada@example.com", "a.l@example.org"]}
      />
      <PersonHeader
        person={{ ...person, recipient: { displayName: "Bo", userId: 0 } }}
        addresses={[]}
      />
    </>
  ),
  "what a person received": <ReceivedTable person={person} rows={received} />,
  "decisions about a person": (
    <Decisions
      {...{ path: "/people/1", rows: received }}
      domain="example.org"
      decisions={[
        { ...decision, domain: "example.org", until: NOW + DAY, why: "Audits us" },
        { ...decision, expected: 0, closed: NOW },
      ] as never}
      withdrawn={[{ ended: NOW, expected: 0, on: "Sales", by: "Bo", withdrawnBy: "Cy" }] as never}
    />
  ),
  "evidence of recipients": (
    <>
      {[1, 50, 51].map((length) => (
        <RecipientsEvidence key={length} scheduleIds={Array(length).fill(7)} today="2026-11-23" />
      ))}
    </>
  ),
  "decision about somebody": (
    <>
      <ExpectedForm personId={1} scheduleId={101} name="Sales" />
      <ExpectedForm personId={1} scheduleId={101} name="Sales" isInTable />
    </>
  ),
  "channels": (
    <ChannelList
      channels={[
        { ...quiet, outlet: "a", label: "mail", sent: NOW - HOUR },
        { ...quiet, outlet: "b", label: "slack", sent: null, failingSince: NOW - HOUR, waiting: 2 },
        { ...quiet, outlet: "c", label: "teams", sent: null, waitingSince: NOW + HOUR },
        { ...quiet, outlet: "d", label: "webhook", sent: null, givenUp: NOW - DAY },
        { ...quiet, outlet: "e", label: "pager", sent: null, shown: "example.com" },
        // Silence is no sign that a channel works, and what is held is no failure.
        { ...quiet, outlet: "f", label: "mail", sent: NOW - HOUR, waitingSince: NOW - HOUR },
        { ...quiet, outlet: "g", label: "mail", sent: NOW - HOUR, waitingSince: NOW - 5000 },
        { ...quiet, outlet: "h", label: "mail", sent: NOW - HOUR, givenUp: NOW - 2 * HOUR },
      ]}
    />
  ),
  "search, with a wrong condition": (
    <SearchForm
      page={page(searched)}
      target={target}
      all="/filesets"
      help="Words find names."
      error={null}
      adding={
        <AddCondition
          {...offered}
          condition={{ ...wrong, operator: "!EQUALS", issue: "Write a number" }}
        />
      }
    >
      <QueryField {...offered} example="payroll" query="owner:Finance" />
    </SearchForm>
  ),
  "menu of a search": (
    <SearchMenu
      rows={FILE_SETS}
      target={target}
      view={viewOf("q=payroll&columns=name&limit=70")}
      href={(format) => `/filesets/export?format=${format}`}
      evidence="/evidence"
      note="Files have runs of every outcome."
      code={{ link: "https://docket.example/filesets", curl: "curl 'a'", script: "import 1" }}
    />
  ),
  "facets": (
    <FacetsPanel facets={FACETS} view={viewOf("q=-permission:READ+owner:Finance")} zone={ZONE} />
  ),
  "facets of the rows": (
    <FacetsPanel facets={{ ...FACETS, rows: 2 }} view={viewOf("")} zone={ZONE} />
  ),
  "file sets": (
    <FileSetTable
      fileSets={[FULL, BARE]}
      view={{ ...searched, columns: FILE_SETS.columns, open: BARE.id }}
    />
  ),
  "file set beside them": (
    <Drawer
      view={{ ...viewOf("q=owner:Finance&limit=25"), open: FULL.id }}
      fileSet={FULL}
      fileSets={[{ id: "a" }, FULL]}
    />
  ),
  "file set that is gone": (
    <Drawer view={{ ...viewOf("limit=25"), open: "gone" }} fileSet={null} fileSets={[FULL]} />
  ),
  "no file set matches": (
    <Empty>
      <NothingFound {...viewOf("q=permission:read")} />
    </Empty>
  ),
  "file sets: past the end": (
    <Empty>
      <NothingFound {...viewOf("")} />
    </Empty>
  ),
};

/** Each part by its name and state. */
export const PARTS: Readonly<Record<string, VNode>> = Object.fromEntries(
  Object.entries(ALL).map(([name, part]) => [name, shownAt(NOW, part)]),
);
