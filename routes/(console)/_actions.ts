import { skippedWords } from "../../lib/calendars/read_calendar.ts";
import { wholeNumber } from "../../lib/format.ts";
import { leaveNotice, readPersonName, writePersonName } from "../../server/http/cookies.ts";
import type { Actor } from "../../lib/actor.ts";
import { actionServices } from "../../server/actions/action_services.ts";
import { safeRedirectPath } from "../../server/http/paths.ts";
import { isProblemError, type ProblemDetails, ProblemError } from "../../server/http/problem.ts";
import { readFormBody } from "../../server/http/request_body.ts";
import { textIssue } from "../../server/http/shape.ts";
import type { RefusedForm } from "../../components/ui/form.tsx";
import type { Acting } from "../../server/store/records/events.ts";
import { MAX_CHARACTERS } from "../../server/store/text.ts";
import type { ConsoleState } from "./_middleware.ts";

/** Notices by code. */
const NOTICES = {
  "acknowledge": "Acknowledged.",
  "acknowledge-all": "Acknowledged.",
  "unacknowledge": "The acknowledgement is undone.",
  "mute": "The incident is muted.",
  "unmute": "The incident is no longer muted.",
  "mute-schedule": "The schedule is muted.",
  "unmute-schedule": "The schedule is no longer muted.",
  "pause-plan": "The schedule is paused.",
  "resume-plan": "The schedule is no longer paused.",
  "resolve": "Resolved.",
  "reopen": "Reopened.",
  "note": "The note is added.",
  "expect": "Recorded as expected.",
  "unexpect": "No longer expected.",
  "watch": "The schedules are watched, and read soon.",
  "unwatch": "No longer watched. Open incidents are resolved.",
  "check": "Docket reads the schedule now.",
  "check-all": "Docket reads the schedules now.",
  "no-name": "Nothing was done: enter your name, which is recorded with the action.",
  "none-chosen": "Nothing was done: choose at least one schedule.",
  "saved-settings": "The name and the owner are saved.",
  "saved-schedules": "The schedules of the file are saved.",
  "removed-schedules": "Those that were not watched are removed, and the watched ones stay.",
  "saved-plan": "The plan is saved and confirmed.",
  "saved-inferred": "Docket infers the plan again.",
  "saved-statuses": "The meanings of statuses are saved.",
  "saved-preferences": "Your preferences are saved in this browser.",
  "delivery-test": "The test message will be sent shortly.",
  "delivery-replay": "The message will be sent again shortly.",
  "saved-owner": "The owner is saved.",
  "removed-owner": "The owner and its channels are removed.",
  "saved-calendar": "The calendar is saved. The schedules are judged again shortly.",
  "removed-calendar": "The calendar is removed.",
  "decided": "The decision is recorded. The schedules are judged again shortly.",
  "withdrawn": "The decision is withdrawn. The schedules are judged again shortly.",
  "leavers-noted":
    "The file is compared. Below are people who left and receive reports, or received some later.",
  "leavers-cleared": "The list of leavers is cleared.",
  "leaver-removed": "This person is no longer on the list of leavers.",
} as const;

/** What the code of a notice says, such as `saved-calendar:3`; empty for any other text. */
export function noticeText(code: string): string {
  const [name, more = ""] = code.split(":");
  if (name === "unwatch" && wholeNumber(more) !== null) {
    return `Schedule ${more} is no longer watched, and its open incidents are resolved.`;
  }
  if (!Object.hasOwn(NOTICES, name)) return "";
  const skipped = name === "saved-calendar" ? wholeNumber(more) ?? 0 : 0;
  return NOTICES[name as keyof typeof NOTICES] +
    (skipped > 0 ? ` Skipped ${skippedWords(skipped)}.` : "");
}

export type Notice =
  | keyof typeof NOTICES
  | `${keyof typeof NOTICES}:${string}`;

export function redirectWithNotice(
  ctx: {
    redirect(to: string, status: 303): Response;
    readonly state: { readonly origin: string };
  },
  to: string,
  code: Notice,
): Response {
  const response = ctx.redirect(to, 303);
  leaveNotice(response.headers, code, ctx.state.origin);
  return response;
}

export function noSuchAction(): ProblemError {
  return new ProblemError(400, "There is no such action");
}

const NAME_MISSING = "Enter your name: it is recorded with the action";

/** The most wrong lines that a page lists. */
export const MAX_LINES = 100;

/** What is wrong with a form. Its field has another name than the fault's pointer, or none, by `names`. */
function toRefused(
  typed: URLSearchParams,
  { errors, detail: summary }: ProblemDetails,
  names: Readonly<Record<string, string | null>>,
): RefusedForm {
  const issues: Record<string, string> = {};
  const lines: string[] = [];
  const others: string[] = [];
  for (const { pointer = "", parameter, detail } of errors) {
    const part = pointer.split("/")[1] ?? "";
    const field = Object.hasOwn(names, part) ? names[part] : part;
    if (parameter) lines.push(`${parameter}: ${detail}`);
    else if (field) issues[field] = detail;
    else others.push(`${detail}.`);
  }
  if (errors.length === 0 || lines.length > 0) others.unshift(`${summary}.`);
  const more = lines.length > MAX_LINES ? ["and others"] : [];
  return { typed, issues, errors: [...others, ...lines.slice(0, MAX_LINES), ...more] };
}

/**
 * A form that was sent: its fields, who acts with it on what, and where it leads once that is done.
 *
 * @throws {ProblemError} If the form can't be read, or with status 404 if there are no records
 */
export async function openForm<Form extends URLSearchParams | FormData = URLSearchParams>(
  ctx: {
    redirect(to: string, status: 303): Response;
    readonly req: Request;
    readonly state: Pick<ConsoleState, "services" | "origin" | "person" | "refused">;
  },
  readForm?: (request: Request) => Promise<Form>,
) {
  const { req, state } = ctx;
  const form = (await (readForm ?? readFormBody)(req)) as Form;
  const texts = [...form].filter((entry): entry is [string, string] =>
    typeof entry[1] === "string"
  );
  const fields = new URLSearchParams(texts);
  const now = Date.now();
  /** Who sends it: the signed-in person, or the name typed here or last; null without any. */
  const sender = (): Actor | null => {
    const last = readPersonName(req.headers).slice(0, MAX_CHARACTERS.name);
    const name = fields.get("name")?.trim() ?? (textIssue(last) ? "" : last);
    const issue = textIssue(name, MAX_CHARACTERS.name);
    if (issue) throw new ProblemError(400, `The name ${issue}`);
    return state.person ?? (name === "" ? null : { name, known: "typed" });
  };
  return {
    form,
    services: actionServices(state),
    now,
    sender,
    /** Who acts. @throws {ProblemError} Of the field `person`, if nobody is named */
    acting: (): Acting => {
      const actor = sender();
      if (actor) return { actor, now };
      const errors = [{ pointer: "/person", detail: NAME_MISSING }];
      throw new ProblemError(400, NAME_MISSING, { errors });
    },
    /** Who acts with one click, which needs no name. */
    get clicked(): Acting {
      return { actor: sender() ?? { name: "somebody", known: "typed" }, now };
    },
    /** The file in the form. @throws {ProblemError} If none was chosen */
    file: () => {
      const file: unknown = form.get("file");
      if (file instanceof File && file.size > 0) return file.stream();
      throw new ProblemError(400, "Choose a file that is not empty");
    },
    /** Does it; or has the page say what is wrong, and returns the status to answer with. */
    attempt: async (
      action: () => Promise<unknown>,
      names: Readonly<Record<string, string | null>> = {},
    ): Promise<number | null> => {
      try {
        await action();
        return null;
      } catch (error) {
        if (!isProblemError(error) || ![400, 409].includes(error.problem.status)) throw error;
        state.refused = toRefused(fields, error.problem, names);
        return error.problem.status;
      }
    },
    /** The page that the form names, or else `to`. */
    next: (to: string) => safeRedirectPath(fields.get("next") || to),
    go: (to: string, notice?: Notice) => {
      const response = notice ? redirectWithNotice(ctx, to, notice) : ctx.redirect(to, 303);
      // The next form has the typed name.
      writePersonName(response.headers, fields.get("name"), state.origin.startsWith("https:"));
      return response;
    },
  };
}
