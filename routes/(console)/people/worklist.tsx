import { formatCount } from "../../../lib/format.ts";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { AddressesShown, PersonName } from "../../../components/runs/recipients/address.tsx";
import { PEOPLE_TRAIL, RunMoment, scheduleHref } from "../../../components/runs/run_links.tsx";
import { type Column, DataTable, Pager } from "../../../components/ui/list.tsx";
import { CalendarDay, When } from "../../../components/ui/moment.tsx";
import { useContext } from "preact/hooks";
import { requireRecords } from "../../../server/pages/page_request.ts";
import { fileSubject, lastDayOf } from "../../../server/pages/people_page.ts";
import { loadWorklist, WORKLIST_COLUMNS, worklistRows } from "../../../server/pages/worklist.ts";
import { downloadResponse, maskedUnlessShown } from "../../_download.ts";
import { ExpectedForm, LeftOut, PeopleTools, RecipientsEvidence } from "./_parts.tsx";
import { handler, page } from "./$worklist.ts";

type Task = Awaited<ReturnType<typeof loadWorklist>>["tasks"][number];

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    if (searchParams.get("format") !== "csv") {
      return { data: await loadWorklist(ctx.state, searchParams) };
    }
    const records = requireRecords(ctx.state.services);
    return await downloadResponse(ctx, {
      subject: await fileSubject("worklist", records),
      format: "csv",
      rows: maskedUnlessShown(searchParams, worklistRows(records)),
      columns: WORKLIST_COLUMNS,
    });
  },
});

export default page(({ data }) => {
  const { tasks, leavers, moreLeavers, position, known, unknown, ...evidence } = data;
  const isShown = useContext(AddressesShown);
  const isEmpty = leavers.length + tasks.length === 0;
  return (
    <>
      <PageHeader title="Worklist" trail={PEOPLE_TRAIL} />
      {(leavers.length > 0 || tasks.some(({ state }) => state !== "done")) && (
        <p>
          Remove these people in the service: the first successful run without one closes the entry.
        </p>
      )}
      {leavers.length > 0 && (
        <>
          <h2>Left, and still receiving</h2>
          <DataTable name="Left, and still receiving" columns={LEAVER_COLUMNS} rows={leavers} />
        </>
      )}
      {moreLeavers > 0 && (
        <p class="help">
          and {formatCount(moreLeavers)} more who left, all of them in the files below
        </p>
      )}
      {tasks.length > 0 && <h2>Not expected</h2>}
      {(isEmpty || tasks.length > 0) && (
        <DataTable
          name="Worklist"
          columns={TASK_COLUMNS}
          rows={tasks}
          empty="Nothing to do. To add an entry, choose “Not expected” on a person’s page."
        />
      )}
      <Pager
        position={position}
        href={(offset) => `?${isShown ? "addresses=shown&" : ""}offset=${offset}`}
        label="Pages of the worklist"
      />
      <LeftOut unknown={unknown} />
      <RecipientsEvidence {...evidence} />
      <PeopleTools
        id="worklist"
        file={isEmpty ? null : "?format=csv"}
        known={known}
      />
    </>
  );
});

/** The person and the schedule of an entry. */
const WHO: readonly Column<Pick<Task, "personId" | "recipient" | "scheduleId" | "schedule">>[] = [
  {
    name: "Person",
    cell: ({ personId, recipient }) => (
      <PersonName recipient={recipient} href={`/people/${personId}`} />
    ),
  },
  {
    name: "Schedule",
    cell: ({ scheduleId, schedule }) => <a href={scheduleHref(scheduleId)}>{schedule}</a>,
  },
];

/** Who left, and still receives a schedule. */
const LEAVER_COLUMNS: readonly Column<
  Awaited<ReturnType<typeof loadWorklist>>["leavers"][number]
>[] = [
  ...WHO,
  { name: "Left by", cell: ({ said }) => <CalendarDay date={lastDayOf(said)} /> },
  {
    name: "Last received",
    cell: ({ scheduleId, shownBy, run }) => (
      <RunMoment at={shownBy} run={run} scheduleId={scheduleId} />
    ),
  },
  {
    name: "Decision",
    cell: ({ personId, scheduleId, schedule }) => (
      <ExpectedForm {...{ personId, scheduleId }} name={schedule} isInTable />
    ),
  },
];

const TASK_COLUMNS: readonly Column<Task>[] = [
  ...WHO,
  {
    name: "Decided by",
    kind: "sentence",
    cell: ({ said, by, why }) => (
      <>
        {by}, <When at={said} />
        {why && `: ${why}`}
      </>
    ),
  },
  {
    name: "State",
    kind: "sentence",
    cell: ({ scheduleId, state, shownBy, run }) => (
      <>
        {state === "open"
          ? "open"
          : <strong class={`status ${state === "done" ? "good" : "bad"}`}>{state}</strong>}
        {shownBy !== null && (
          <>
            , shown by the run of <RunMoment at={shownBy} run={run} scheduleId={scheduleId} />
          </>
        )}
      </>
    ),
  },
];
