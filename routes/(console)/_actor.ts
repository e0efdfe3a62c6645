import type { Actor } from "../../lib/judgement/actor.ts";
import { ProblemError } from "../../server/http/problem.ts";
import { readPersonName } from "../../server/http/cookies.ts";
import { MOST_CHARACTERS, textIssue } from "../../server/store/text.ts";

interface KnownPerson {
  readonly person: Actor | null;
}

/** The name or the note that was typed with an action; empty if none was. */
export function typedText(form: URLSearchParams, name: keyof typeof MOST_CHARACTERS): string {
  const text = form.get(name)?.trim() ?? "";
  const most = MOST_CHARACTERS[name];
  const issue = textIssue(text) ??
    (text.length > most ? `must have at most ${most} characters` : "");
  if (issue) throw new ProblemError(400, `The ${name} ${issue}`);
  return text;
}

/** Who sends a form that asks for a name unless it is known; null if none was typed. */
export function formActor({ person }: KnownPerson, form: URLSearchParams): Actor | null {
  const name = typedText(form, "name");
  return person ?? (name === "" ? null : { name, known: "typed" });
}

/** Who acts with one click: if nobody is known, the name that was given last, if any. */
export function clickActor({ person }: KnownPerson, headers: Headers): Actor {
  const typed = readPersonName(headers).slice(0, MOST_CHARACTERS.name);
  const name = typed && !textIssue(typed) ? typed : "somebody";
  return person ?? { name, known: "typed" };
}
