import { FormKey } from "../../components/ui/form_key.tsx";
import { PageHeader } from "../../components/page/page_header.tsx";
import { SERVICE_PATH } from "../../components/runs/run_links.tsx";
import { DataTable } from "../../components/ui/data_table.tsx";
import { Day } from "../../components/ui/moment.tsx";
import { PersonField, useMayAct } from "../../components/ui/reader.tsx";
import { formatCountOf } from "../../lib/format.ts";
import { actorText } from "../../lib/judgement/actor.ts";
import {
  defaultStatusDictionary,
  meaningOf,
  MEANINGS,
  shortStatus,
  type StatusMeaning,
  statusWord,
} from "../../lib/runs/status.ts";
import { actionServices } from "../../server/actions/action_services.ts";
import { checkStatuses, saveStatuses } from "../../server/actions/save_statuses.ts";
import { readPersonName } from "../../server/http/cookies.ts";
import { readFormBody } from "../../server/http/request_body.ts";
import {
  dictionaryFrom,
  type SaidStatus,
  type SeenStatus,
} from "../../server/store/records/statuses.ts";
import {
  formActor,
  formProblem,
  NAME_MISSING,
  redirectWithNotice,
  rememberName,
} from "./_actions.ts";
import type { ConsoleState } from "./_middleware.ts";
import { countPending } from "../../server/pages/people_page.ts";
import { handler, page } from "./$service.ts";
import { recordsOf } from "../../server/pages/page_request.ts";

const MAX_SEEN = 200;

export const handlers = handler({
  GET: async (ctx) => ({ data: await loadService(ctx.state, readPersonName(ctx.req.headers)) }),

  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const actor = formActor(ctx.state, form);
    const meanings = form.getAll("meaning");
    const typed = form.getAll("status").map((status, at) => [status.trim(), meanings[at]] as const);
    const change = {
      statuses: typed.filter(([status, meaning]) => status !== "" && meaning !== "")
        .map(([status, meaning]) => ({ status, meaning })),
      about: typed.map(([status]) => status),
    };
    const problem = await formProblem(async () => {
      if (!actor) return checkStatuses(change.statuses);
      await saveStatuses(actionServices(ctx.state), change, { actor, now: Date.now() });
    });
    const faults = problem?.errors.map(({ detail }) => detail) ?? [];
    const errors = [...faults, ...actor ? [] : [NAME_MISSING]];
    if (errors.length > 0) {
      const data = await loadService(ctx.state, form.get("name") ?? "", { typed, errors });
      return { data, status: 400 };
    }
    const response = redirectWithNotice(ctx, SERVICE_PATH, "saved-statuses");
    return rememberName(response, form, ctx.state.origin);
  },
});

interface StatusRow extends SeenStatus {
  readonly meaning: StatusMeaning;
  /** What it means where no person says otherwise. */
  readonly otherwise: StatusMeaning;
  /** What is chosen in the form: what a person said, or typed just now; empty if nobody has. */
  readonly chosen: string;
  readonly said?: SaidStatus;
  readonly setting?: StatusMeaning;
  /** The same status in another spelling, which is listed before; what is said there holds here. */
  readonly sameAs?: string;
}

async function loadService(
  { services }: ConsoleState,
  person: string,
  { typed = [], errors = [] }: {
    readonly typed?: readonly (readonly [status: string, meaning: string])[];
    readonly errors?: readonly string[];
  } = {},
) {
  const records = recordsOf(services);
  await countPending(records);
  const [stored, seen] = await Promise.all([
    records.statuses.get(),
    records.statuses.seen(MAX_SEEN),
  ]);
  const { setting, said } = stored;
  const dictionary = dictionaryFrom(stored);
  const otherwise = dictionaryFrom({ setting, said: {} });
  const known = new Set(seen.items.map(({ status }) => statusWord(status)));
  const unseen = [...new Set([...Object.keys(said), ...Object.keys(setting)])]
    .filter((word) => !known.has(word))
    .map((status) => ({ status, runs: 0, schedules: 0 }));
  const all = [...seen.items, ...unseen];
  const rows = all.map((each, at): StatusRow => {
    const word = statusWord(each.status);
    const one = Object.hasOwn(said, word) ? said[word] : undefined;
    const last = typed.find(([status]) => statusWord(status) === word)?.[1];
    return {
      ...each,
      meaning: meaningOf(word, dictionary),
      otherwise: meaningOf(word, otherwise),
      chosen: last ?? one?.meaning ?? "",
      said: one,
      setting: Object.hasOwn(setting, word) ? setting[word] : undefined,
      sameAs: all.slice(0, at).find(({ status }) => statusWord(status) === word)?.status,
    };
  });
  const isUnknown = ({ meaning }: StatusRow) => Number(meaning === "unknown");
  return {
    rows: rows.toSorted((a, b) => isUnknown(b) - isUnknown(a)),
    unknown: rows.filter(({ meaning, runs }) => meaning === "unknown" && runs > 0).length,
    left: seen.total - seen.items.length,
    added: typed.at(-1) ?? ["", ""] as const,
    service: services.settings.serviceBaseUrl,
    person,
    errors,
    now: Date.now(),
  };
}

export default page(({ data }) => {
  const { rows, unknown, left, added, service, person, errors, now } = data;
  const mayAct = useMayAct();
  return (
    <>
      <PageHeader title="Service" />
      <p>
        What Docket knows of {service ? <code>{service}</code> : "the embedded service"}.
        {mayAct && !service && (
          <>
            {" "}
            <a href="/service/import">Import your own data</a>
          </>
        )}
      </p>
      <section aria-labelledby="statuses">
        <h2 id="statuses">Statuses</h2>
        <p>
          {unknown > 0
            ? `${
              formatCountOf(unknown, "status is", "statuses are")
            } unknown. A run with one counts ` +
              "neither as sent nor as failed, until somebody says what it means."
            : "Docket knows what every status that it has seen means."}{" "}
          Case does not matter, and _ and - are blanks.
        </p>
        {errors.length > 0 && (
          <div class="notice bad" role="alert">
            {errors.map((error) => <p key={error}>{error}.</p>)}
          </div>
        )}
        <form method="post" action={SERVICE_PATH}>
          <FormKey />
          <DataTable
            name="Meanings"
            caption="Every status that was seen, and what it is taken to mean"
            columns={[
              { name: "Status", cell: ({ status }) => <code>{shortStatus(status)}</code> },
              { name: "Seen", cell: seenWords },
              { name: "Means", cell: (row) => <Meaning row={row} mayAct={mayAct} /> },
              { name: "Said by", kind: "sentence", cell: (row) => sourceOf(row, now) },
            ]}
            rows={rows}
            keyOf={({ status }) => status}
            empty="No run was read yet."
          />
          {left > 0 && <p class="help">And {formatCountOf(left, "other", "others")}.</p>}
          {mayAct && (
            <>
              <p class="row">
                <label>
                  Another status <input name="status" maxLength={200} value={added[0]} />
                </label>
                <label>
                  means{" "}
                  <select name="meaning">
                    <Options chosen={added[1]} unsaid="choose" />
                  </select>
                </label>
              </p>
              <PersonField value={person} />
              <button type="submit">Save</button>
              <p class="help">
                For everybody: pages, messages, lists of recipients and the command line. The
                schedules with a changed status are judged again at once.
              </p>
            </>
          )}
        </form>
        <p class="help">
          Known from the start: {knownWords("good")} are good; {knownWords("bad")} are bad;{" "}
          {knownWords("pending")} are pending, so the run is not over.
        </p>
      </section>
    </>
  );
});

function seenWords({ runs, schedules }: StatusRow): string {
  if (runs === 0) return "not yet";
  return `${formatCountOf(runs, "run", "runs")} of ${
    formatCountOf(schedules, "schedule", "schedules")
  }`;
}

function Meaning({ row: { status, meaning, chosen, otherwise, sameAs }, mayAct }: {
  readonly row: StatusRow;
  readonly mayAct: boolean;
}) {
  // Nobody can say how a run ended that has no status.
  if (!mayAct || status === "") return <>{meaning}</>;
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

function Options({ chosen, unsaid }: { readonly chosen: string; readonly unsaid: string }) {
  return (
    <>
      <option value="" selected={chosen === ""}>{unsaid}</option>
      {MEANINGS.map((each) => (
        <option key={each} value={each} selected={each === chosen}>{each}</option>
      ))}
    </>
  );
}

function sourceOf({ status, meaning, said, setting }: StatusRow, now: number) {
  const inSettings = setting && `STATUSES: ${setting}`;
  if (said) {
    return (
      <>
        {actorText(said.by)}, <Day at={said.at} now={now} />
        {inSettings && ` (${inSettings})`}
      </>
    );
  }
  if (inSettings) return inSettings;
  if (status === "") return "nobody can know";
  return meaning === "unknown" ? "nobody yet" : "a known word";
}

function knownWords(meaning: StatusMeaning): string {
  const words = Object.entries(defaultStatusDictionary()).filter(([, is]) => is === meaning);
  return words.map(([word]) => word).join(", ");
}
