import { useContext } from "preact/hooks";
import { formatCountOf } from "../../../lib/format.ts";
import { MEANINGS, shortStatus } from "../../../lib/runs/status.ts";
import { DataTable } from "../../../components/ui/list.tsx";
import { FormKey, PersonField, Refused, useMayAct } from "../../../components/ui/form.tsx";
import { Day } from "../../../components/ui/moment.tsx";
import { SERVICE_PATH } from "../../../components/runs/run_links.tsx";
import type { loadService } from "../../../server/pages/service_page.ts";

type Statuses = Awaited<ReturnType<typeof loadService>>["statuses"];
type StatusRow = Statuses["rows"][number];

/** Every status that was seen, and what it means; people may change that. */
export function StatusForm({ rows, unknown, left }: Statuses) {
  const mayAct = useMayAct();
  const { typed } = useContext(Refused);
  const statuses = typed.getAll("status");
  const meanings = typed.getAll("meaning");
  const typedFor = (status: string) => meanings[statuses.indexOf(status)];
  return (
    <form method="post" action={SERVICE_PATH}>
      <FormKey />
      {unknown > 0 && (
        <p>
          {formatCountOf(unknown, "status is", "statuses are")}{" "}
          unknown. A run with one counts neither as sent nor as failed, until somebody says what it
          means.
        </p>
      )}
      <DataTable
        name="Meanings"
        caption="Every status that was seen, and what it is taken to mean"
        columns={[
          { name: "Status", cell: ({ status }) => <code>{shortStatus(status)}</code> },
          { name: "Seen", cell: seenWords },
          {
            name: "Means",
            cell: (row) => <Meaning {...row} chosen={typedFor(row.status) ?? row.chosen} />,
          },
          { name: "Said by", kind: "sentence", cell: (row) => <Source row={row} /> },
        ]}
        rows={rows}
        empty="No run was read yet."
      />
      {left > 0 && <p class="help">And {formatCountOf(left, "other", "others")}.</p>}
      {mayAct && (
        <div class="row">
          <label>
            Another status <input name="status" maxLength={200} value={statuses.at(-1)} />
          </label>
          <label>
            means{" "}
            <select name="meaning" aria-label="What another status means">
              <Options chosen={meanings.at(-1)} unsaid="choose" />
            </select>
          </label>
          <PersonField />
          <button type="submit">Save</button>
        </div>
      )}
    </form>
  );
}

function seenWords({ runs, schedules }: StatusRow): string {
  if (runs === 0) return "not yet";
  return `${formatCountOf(runs, "run", "runs")} of ${
    formatCountOf(schedules, "schedule", "schedules")
  }`;
}

function Meaning({ status, meaning, chosen, otherwise, sameAs }: StatusRow) {
  // Nobody can say how a run ended that has no status.
  if (!useMayAct() || status === "") return <>{meaning}</>;
  if (sameAs !== undefined) return <>{meaning}, as {shortStatus(sameAs)}</>;
  return (
    <>
      <input type="hidden" name="status" value={status} />
      <select name="meaning" aria-label={`What ${shortStatus(status)} means`}>
        <Options chosen={chosen} unsaid={`${otherwise}, not confirmed`} />
      </select>
    </>
  );
}

function Options({ chosen = "", unsaid }: { readonly chosen?: string; readonly unsaid: string }) {
  return (
    <>
      <option value="" selected={chosen === ""}>{unsaid}</option>
      {MEANINGS.map((each) => (
        <option key={each} value={each} selected={each === chosen}>{each}</option>
      ))}
    </>
  );
}

function Source({ row: { status, meaning, said, setting } }: {
  readonly row: StatusRow;
}) {
  const inSettings = setting && `STATUSES: ${setting}`;
  if (said) {
    return (
      <>
        {said.by}, <Day at={said.at} />
        {inSettings && ` (${inSettings})`}
      </>
    );
  }
  const known = meaning === "unknown" ? "nobody yet" : "a known word";
  return <>{inSettings ?? (status === "" ? "nobody can know" : known)}</>;
}
