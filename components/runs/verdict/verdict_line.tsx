import { formatWhen } from "../../../lib/moments.ts";
import type { ComponentChildren } from "preact";
import { capitalized, formatCount, formatCountOf } from "../../../lib/format.ts";
import { adviceParts, DATED, reasonText } from "../../../lib/judgement/reason_text.ts";
import { headline, headlineOfCode } from "../../../lib/judgement/headline.ts";
import { isShown, type Reason, type ReasonCode } from "../../../lib/judgement/reason.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { countListed, countRecipients } from "../../../lib/runs/recipients.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import { nextRunWords, useMoment } from "../../ui/moment.tsx";
import { peopleWords } from "../incidents/incident_words.tsx";
import { planHref, recipientsHref, runHref, SERVICE_PATH } from "../run_links.tsx";
import { ComparedRuns } from "./compared_runs.tsx";
import { reasonMark, toneOf, VerdictPart } from "./state_badge.tsx";

type Moment = ReturnType<typeof useMoment>;

/** How a schedule is doing, what to do about it, and the last success beside the latest run. */
export function VerdictLine({ verdict, scheduleId, listed = [], children }: {
  readonly verdict: Verdict;
  readonly scheduleId: number;
  /** What the children say already. */
  readonly listed?: readonly ReasonCode[];
  readonly children?: ComponentChildren;
}) {
  const { health: { count, lastGood, latest, streak } } = verdict;
  const moment = useMoment();
  const word = headline(verdict);
  const reasons = verdict.reasons.filter(isShown);
  // An unknown state without such a reason explains itself, if there are runs to explain it by.
  const lead = reasons.find(({ code }) => headlineOfCode(code) === word) ??
    (verdict.state === "unknown" && count > 0 ? undefined : reasons[0]);
  const others = reasons.filter((reason) => reason !== lead && !listed.includes(reason.code));
  const advice = lead && Advice({ code: lead.code, verdict, scheduleId });
  const [sentence, ...more] = toSentences(verdict, lead, moment);
  return (
    <VerdictPart
      tone={toneOf(word)}
      label="Verdict"
      sentence={sentence}
      evidence={lastGood && latest && streak?.meaning === "bad" && (
        <ComparedRuns
          runs={[lastGood, latest]}
          names={["Last success", "Latest run"]}
          scheduleId={scheduleId}
        />
      )}
    >
      {more.length > 0 && <p>{more.join(" ")}</p>}
      {advice && <p>{advice}</p>}
      {others.length > 0 && (
        <ul class="reasons plain">
          {others.map((reason) => {
            const [sign, tone] = reasonMark(reason);
            return (
              <li key={reason.code + reason.subject} class={`tier ${tone}`}>
                <span aria-hidden="true">{sign}</span> {capitalized(reasonText(reason, moment))}
              </li>
            );
          })}
        </ul>
      )}
      {children}
    </VerdictPart>
  );
}

/** What is so, the most important first: who has no report, why, when it was last sent. */
function toSentences(verdict: Verdict, lead: Reason | undefined, moment: Moment): string[] {
  const { health: { count, lastGood, streak }, schedule } = verdict;
  const lastSuccess = timeOf(lastGood?.startTime) ?? null;
  const people = countListed(lastGood);
  const when = (at: number) => formatWhen(at, moment.now, moment.zone);
  const isUnexplained = count > 0 && !streak && lead?.code !== "unknown-status";
  return [
    lead && peopleWords({ code: lead.code, lastSuccess, people }, moment.now),
    lead && leadWords(verdict, lead, moment),
    isUnexplained && "No run is known to have succeeded or failed.",
    streak && !schedule &&
    `${
      formatCountOf(count, "run shows", "runs show")
    } no plan: too few, irregular, or many at once.`,
    !lead && trendWords(verdict),
    streak &&
    (lastSuccess === null
      ? "No success among the loaded runs."
      : `${people === 0 ? "Last success" : "Last sent"} ${when(lastSuccess)}` +
        `${people ? ` to ${formatCountOf(people, "person", "people")}` : ""}.`),
    schedule?.next && `${nextRunWords(schedule.next, moment.now)} ${when(schedule.next)}.`,
  ].filter((sentence) => typeof sentence === "string" && sentence !== "") as string[];
}

function leadWords({ health: { streak } }: Verdict, lead: Reason, moment: Moment): string {
  const { code, since } = lead;
  const from = since === null ? "" : formatWhen(since, moment.now, moment.zone);
  if (code === "failing" && streak?.meaning === "bad" && from) {
    const { count, reachesBack } = streak;
    const inRow = count === 1 ? "1 run" : `${formatCount(count)} runs in a row`;
    return `Failing since ${from}${reachesBack ? " or earlier" : ""}, ${inRow}.`;
  }
  const isDated = !from || DATED.includes(code);
  return capitalized(reasonText(lead, moment)) +
    `${isDated ? "" : `, since ${from}`}.`;
}

/** Smaller changes in the number of recipients are not worth a sentence. */
const RECIPIENTS_FACTOR = 1.5;

function trendWords({ recipients, health: { lastGood } }: Verdict): string {
  if (!recipients) return "";
  const [first, last] = [recipients.first, recipients.last].map(Math.round);
  // The next sentence has the latest count. A smaller list on each weekend is no trend.
  const latest = countRecipients(lastGood) ?? last;
  const growths = [last, latest].map((count) => Math.max(1, count) / Math.max(1, first));
  const didGrow = growths.every((growth) => growth >= RECIPIENTS_FACTOR);
  const didFall = growths.every((growth) => growth <= 1 / RECIPIENTS_FACTOR);
  if (!didGrow && !didFall) return "";
  const [from, to] = [formatCount(first), formatCount(latest)];
  return `Recipients ${didGrow ? "grew" : "fell"} from ${from} to ${to}.`;
}

function Advice({ code, verdict, scheduleId }: {
  readonly code: ReasonCode;
  readonly verdict: Verdict;
  readonly scheduleId: number;
}): ComponentChildren {
  const { reasons, health: { latest, streak } } = verdict;
  const reason = reasons.find((reason) => reason.code === code);
  if (code === "never-ran" && latest) return null;
  if (reason?.code === "unreadable" && reason.failure === null) {
    return "Reload the page, or load more runs below.";
  }
  const [before, linked, page, after] = adviceParts(code);
  const shown = code === "failing" ? streak?.last.id : reason?.runs[0];
  const href = page
    ? ADVISED_PAGES[page](scheduleId)
    : shown !== undefined && runHref(scheduleId, shown);
  return (
    <>
      {before}
      {linked && (href ? <a href={href}>{linked}</a> : linked)}
      {after}
    </>
  );
}

/** The pages that advice links to. */
const ADVISED_PAGES: Readonly<Record<string, (scheduleId: number) => string>> = {
  plan: planHref,
  recipients: recipientsHref,
  service: () => SERVICE_PATH,
};
