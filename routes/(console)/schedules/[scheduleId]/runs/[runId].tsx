import type { ComponentChildren } from "preact";
import { Head } from "fresh/runtime";
import { maskAddress } from "../../../../../components/e_mail.ts";
import { formatBytes, formatCount, formatCountOf } from "../../../../../components/format.ts";
import { LoneMoment, Missing } from "../../../../../components/moment.tsx";
import { formatMoment } from "../../../../../components/zone.ts";
import { TroubleNotice } from "../../../../../components/notice.tsx";
import { Duration, triggerWords } from "../../../../../components/runs/table.tsx";
import { StatusMark } from "../../../../../components/runs/status_mark.tsx";
import { defaultStatusDictionary, meaningOf } from "../../../../../lib/runs/status.ts";
import type { Recipient, ReportRun } from "../../../../../lib/types.ts";
import { findRun } from "../../../../../server/find_run.ts";
import { ProblemError } from "../../../../../server/problem.ts";
import { readScheduleId } from "../../../../_schedule_id.ts";
import { pageTrouble } from "../../../../_trouble.ts";
import { handler, page } from "./$[runId].ts";

export const handlers = handler({
  async GET(ctx) {
    const addressesShown = ctx.url.searchParams.get("addresses") === "shown";
    const place = { ...ctx.params, addressesShown };
    try {
      const scheduleId = readScheduleId(ctx.params.scheduleId);
      if (scheduleId === null) throw new ProblemError(404, "A schedule id is a whole number");
      const runId = Number(ctx.params.runId);
      if (!Number.isSafeInteger(runId)) throw new ProblemError(404, "A run's id is a whole number");
      const { run, read, all } = await findRun(
        ctx.state.backend,
        scheduleId,
        runId,
        ctx.req.signal,
      );
      if (!run) {
        throw new ProblemError(
          404,
          all
            ? `Schedule ${scheduleId} has no run ${runId}`
            : `Run ${runId} is not among the latest ${formatCount(read)} runs of schedule ` +
              `${scheduleId}; older ones were not looked at`,
        );
      }
      return { data: { ...place, run, trouble: null } };
    } catch (error) {
      const { trouble, ...answer } = pageTrouble(error, ctx.req, ctx.state);
      return { data: { ...place, run: null, trouble }, ...answer };
    }
  },
});

export default page(({ data: { scheduleId, runId, addressesShown, run, trouble }, state }) => {
  const title = run?.startTime
    ? `Run of ${formatMoment(run.startTime, state.preferences.zone)}`
    : `Run ${runId}`;
  return (
    <>
      <Head>
        <title>{`${title} · Docket`}</title>
      </Head>
      <nav aria-label="Path" class="path">
        <a href="/schedules">Report schedules</a> ›{" "}
        <a href={`/schedules/${encodeURIComponent(scheduleId)}`}>Schedule {scheduleId}</a>
      </nav>
      <h1>{title}</h1>
      {trouble && <TroubleNotice trouble={trouble} />}
      {run && (
        <>
          <RunFacts run={run} />
          <Recipients run={run} addressesShown={addressesShown} />
        </>
      )}
    </>
  );
});

function RunFacts({ run }: { readonly run: ReportRun }) {
  const meaning = meaningOf(run.status, defaultStatusDictionary());
  return (
    <dl class="facts">
      <Fact name="status">
        <StatusMark status={run.status} meaning={meaning} />
      </Fact>
      <Fact name="started">
        <LoneMoment at={run.startTime} />
      </Fact>
      <Fact name="ended">
        <LoneMoment at={run.endTime} />
      </Fact>
      <Fact name="duration">
        <Duration run={run} />
      </Fact>
      <Fact name="trigger">{triggerWords(run.automated)}</Fact>
      <Fact name="report">{withId(run.reportTitle, run.reportId)}</Fact>
      <Fact name="subject">{run.reportSubject}</Fact>
      <Fact name="resource">
        {withId([run.resourceType, run.resourceName].filter(Boolean).join(" "), run.resourceId)}
      </Fact>
      <Fact name="owner">{run.ownerId}</Fact>
      <Fact name="cards">{run.cardCount}</Fact>
      <Fact name="attachments">{run.attachmentCount}</Fact>
      <Fact name="attachment size">{bytes(run.attachmentSize)}</Fact>
      <Fact name="e-mail size">{bytes(run.emailSize)}</Fact>
      <Fact name="run id">
        <code>{run.id}</code>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  const missing = children === null || children === undefined || children === "";
  return (
    <div>
      <dt>{name}</dt>
      <dd>{missing ? <Missing /> : children}</dd>
    </div>
  );
}

function withId(name: string | null | undefined, id: number | null | undefined) {
  return [name, typeof id === "number" && `(${id})`].filter(Boolean).join(" ");
}

function bytes(size: number | null | undefined) {
  return typeof size === "number" ? formatBytes(size) : null;
}

function Recipients(
  { run, addressesShown }: { readonly run: ReportRun; readonly addressesShown: boolean },
) {
  const recipients = run.recipients ?? [];
  return (
    <section>
      <h2 id="recipients">Recipients</h2>
      <p class="help">
        {formatCountOf(recipients.length, "recipient", "recipients")} listed
        {typeof run.recipientCount === "number" && run.recipientCount !== recipients.length &&
          `, but the run counts ${formatCount(run.recipientCount)}`}
        {recipients.length > 0 && (
          <>
            {" · "}
            <a href={addressesShown ? "?#recipients" : "?addresses=shown#recipients"}>
              {addressesShown ? "Mask the addresses" : "Show the addresses"}
            </a>
          </>
        )}
      </p>
      {recipients.length > 0 && (
        <div class="scroll" role="region" aria-labelledby="recipients" tabIndex={0}>
          <table>
            <caption class="unseen">Recipients of this run</caption>
            <thead>
              <tr>
                <th scope="col">name</th>
                <th scope="col">e-mail address</th>
                <th scope="col" class="number">user id</th>
              </tr>
            </thead>
            <tbody>
              {recipients.map((recipient, at) => (
                <RecipientRow key={at} recipient={recipient} addressesShown={addressesShown} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function RecipientRow({ recipient, addressesShown }: {
  readonly recipient: Recipient;
  readonly addressesShown: boolean;
}) {
  const { displayName, emailAddress, userId } = recipient;
  return (
    <tr>
      <th scope="row">{displayName || <Missing />}</th>
      <td>
        {!emailAddress ? <Missing /> : addressesShown ? emailAddress : maskAddress(emailAddress)}
      </td>
      <td class="number">{userId ?? <Missing />}</td>
    </tr>
  );
}
