import { PageHeader } from "../../../components/page/page_header.tsx";
import { AddressesShown, AddressSwitch } from "../../../components/runs/recipients/address.tsx";
import { recipientName } from "../../../lib/runs/recipient_names.ts";
import { RunMoment, scheduleHref } from "../../../components/runs/run_links.tsx";
import { type Column, DataTable } from "../../../components/ui/data_table.tsx";
import { LoneMoment, ZoneName } from "../../../components/ui/moment.tsx";
import { Pager } from "../../../components/ui/pager.tsx";
import { useContext } from "preact/hooks";
import { actorText } from "../../../lib/judgement/actor.ts";
import { DAY } from "../../../lib/time_units.ts";
import type { Recipient } from "../../../lib/types.ts";
import { inChunks } from "../../../server/store/chunks.ts";
import type { StoredDecision } from "../../../server/store/people/recipient_decisions.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import { coverageText } from "../../../server/schedules/coverage.ts";
import { downloadResponse, maskedUnlessShown } from "../../_download.ts";
import { PAGE, readFilter } from "../../../server/pages/filter.ts";
import { recordsOf } from "../incidents/_incidents.ts";
import { countPending, namesOf, PEOPLE_PATH } from "./_people.ts";
import { handler, page } from "./$worklist.ts";

/** After this time, the worklist points out people who are still listed. */
const WEEK = 7 * DAY;

type Task = Awaited<ReturnType<typeof tasksOf>>[number];

export const handlers = handler({
  async GET(ctx) {
    const records = recordsOf(ctx.state.services);
    await countPending(records);
    const { searchParams } = ctx.url;
    if (searchParams.get("format") === "csv") {
      return await downloadResponse(ctx, {
        subject: "worklist",
        format: "csv",
        rows: maskedUnlessShown(searchParams, rowsOf(records)),
        columns: COLUMNS_OF_FILE,
      });
    }
    const start = readFilter(searchParams).offset();
    const page = { limit: PAGE, offset: start };
    const { items, total } = await records.recipientDecisions.worklist(page);
    return {
      data: {
        tasks: await tasksOf(records, items),
        position: { start, count: items.length, limit: PAGE, total },
        known: await coverageText(records, ctx.state.preferences.zone),
      },
    };
  },
});

async function tasksOf(records: ObserverRecords, decisions: readonly StoredDecision[]) {
  const ids = [...new Set(decisions.flatMap(({ personId }) => personId ?? []))];
  const found = new Map((await records.people.some(ids)).map((person) => [person.id, person]));
  const receipts = await records.people.receipts(ids);
  const nameOf = await namesOf(records, decisions.map(({ scheduleId }) => scheduleId));
  return decisions.flatMap(({ personId, scheduleId, at, closed, ...decision }) => {
    const person = found.get(personId!);
    if (!person || scheduleId === null) return [];
    const receipt = receipts.find((one) =>
      one.personId === personId && one.scheduleId === scheduleId
    );
    const isListed = receipt !== undefined && receipt.last >= at + WEEK;
    return [{
      personId: person.id,
      recipient: JSON.parse(person.listed) as Recipient,
      scheduleId,
      schedule: nameOf(scheduleId),
      said: at,
      by: actorText(decision.actor),
      why: decision.why,
      state: closed !== null ? "done" : isListed ? "still listed after a week" : "open",
      // When the run that proves the state started, if there is one.
      shownBy: closed ?? (isListed ? receipt.last : null),
      run: decision.closedRun,
    }];
  });
}

const COLUMNS_OF_FILE = [
  "scheduleId",
  "schedule",
  "userId",
  "displayName",
  "emailAddress",
  "said",
  "by",
  "why",
  "state",
  "shownBy",
];

async function* rowsOf(records: ObserverRecords) {
  const all = { limit: Number.MAX_SAFE_INTEGER };
  const { items } = await records.recipientDecisions.worklist(all);
  for (const decisions of inChunks(items)) {
    for (const { recipient, said, shownBy, run: _, ...task } of await tasksOf(records, decisions)) {
      yield {
        ...recipient,
        ...task,
        said: new Date(said).toISOString(),
        shownBy: shownBy === null ? null : new Date(shownBy).toISOString(),
      };
    }
  }
}

export default page(({ data: { tasks, position, known } }) => {
  const isShown = useContext(AddressesShown);
  return (
    <>
      <PageHeader title="Worklist" path={PEOPLE_PATH} />
      <p>
        Who should no longer receive a schedule. Remove them in the service: the first successful
        run without them closes the entry.
      </p>
      <p class="help">{known}.</p>
      <p class="help" id="worklist">
        <AddressSwitch anchor="worklist" /> · Export as CSV:{" "}
        <a href="?format=csv" download>masked addresses</a> or{" "}
        <a href="?format=csv&addresses=shown" download>full addresses</a>
      </p>
      <DataTable
        name="Worklist"
        columns={columnsOf(isShown)}
        rows={tasks}
        empty="Nothing to do. To add an entry, choose “Not expected” on a person’s page."
      />
      <Pager
        position={position}
        href={(offset) => `?${isShown ? "addresses=shown&" : ""}offset=${offset}`}
        label="Pages of the worklist"
      />
    </>
  );
});

function columnsOf(isShown: boolean): readonly Column<Task>[] {
  return [
    {
      name: "Person",
      cell: ({ personId, recipient }) => (
        <a href={`/people/${personId}`}>{recipientName(recipient, isShown)}</a>
      ),
    },
    {
      name: "Schedule",
      cell: ({ scheduleId, schedule }) => <a href={scheduleHref(scheduleId)}>{schedule}</a>,
    },
    {
      name: "Decided by",
      kind: "sentence",
      cell: ({ said, by, why }) => (
        <>
          {by}, <LoneMoment at={said} />
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
              {" "}
              <ZoneName />
            </>
          )}
        </>
      ),
    },
  ];
}
