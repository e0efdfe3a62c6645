import { leaveNotice, readPersonName, writePersonName } from "../../server/http/cookies.ts";
import type { Actor } from "../../lib/judgement/actor.ts";
import { ProblemError } from "../../server/http/problem.ts";
import { MAX_CHARACTERS, textIssue } from "../../server/store/text.ts";
import type { State } from "./_middleware.ts";

/** The notices by code. The notice of an ended watch is not here, as it has a button. */
export const NOTICES = {
  "schedules-added": "The schedules of the file are added, and read next.",
  "saved-plan": "The plan is saved and confirmed.",
  "saved-inferred": "The inferred plan is used again.",
  "saved-statuses": "What statuses mean is saved.",
  "saved-preferences": "Your preferences are saved in this browser.",
  "delivery-test": "The test will be sent shortly.",
  "delivery-replay": "It will be sent again shortly.",
  "saved-owner": "The owner is saved.",
  "removed-owner": "The owner is removed. Its open incidents go to the default outlets.",
  "saved-calendar": "The calendar is saved. The schedules are judged again shortly.",
  "removed-calendar": "The calendar is removed.",
  "decided": "Recorded. The schedules are judged again shortly.",
  "leavers-noted": "The list is saved. People who received reports after leaving are listed below.",
  "leavers-cleared": "Nobody counts as having left any more.",
  "renewed-feed": "The old link no longer works.",
} as const;

export function redirectWithNotice(
  ctx: {
    redirect(to: string, status: 303): Response;
    readonly state: { readonly origin: string };
  },
  to: string,
  code: keyof typeof NOTICES | `unwatched-${number}`,
): Response {
  const response = ctx.redirect(to, 303);
  leaveNotice(response.headers, code, ctx.state.origin);
  return response;
}

/** Lets the browser remember the name that was given. */
export function remembering(response: Response, form: URLSearchParams, origin: string): Response {
  writePersonName(response.headers, form.get("name"), origin.startsWith("https:"));
  return response;
}

export function typedText(form: URLSearchParams, name: keyof typeof MAX_CHARACTERS): string {
  const text = form.get(name)?.trim() ?? "";
  const most = MAX_CHARACTERS[name];
  const issue = textIssue(text) ??
    (text.length > most ? `must have at most ${most} characters` : "");
  if (issue) throw new ProblemError(400, `The ${name} ${issue}`);
  return text;
}

/** Who sends a form that asks for a name unless it is known; null if none was typed. */
export function formActor({ person }: Pick<State, "person">, form: URLSearchParams): Actor | null {
  const name = typedText(form, "name");
  return person ?? (name === "" ? null : { name, known: "typed" });
}

/** Who acts with one click: if nobody is known, the name that was given last, if any. */
export function clickActor({ person }: Pick<State, "person">, headers: Headers): Actor {
  const typed = readPersonName(headers).slice(0, MAX_CHARACTERS.name);
  const name = typed && !textIssue(typed) ? typed : "somebody";
  return person ?? { name, known: "typed" };
}
