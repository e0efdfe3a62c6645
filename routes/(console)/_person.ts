import { ProblemError } from "../../server/http/problem.ts";
import { readPersonName } from "../../server/http/cookies.ts";
import { MOST_CHARACTERS } from "../../server/observer/actions.ts";
import { textIssue } from "../../server/store/text.ts";

/** The name or the note that was typed with an action; empty if none was. */
export function typedText(form: URLSearchParams, name: keyof typeof MOST_CHARACTERS): string {
  const text = form.get(name)?.trim() ?? "";
  const most = MOST_CHARACTERS[name];
  const issue = textIssue(text) ??
    (text.length > most ? `must have at most ${most} characters` : "");
  if (issue) throw new ProblemError(400, `The ${name} ${issue}`);
  return text;
}

/** Who acts with one click: the name that they last gave, if any. */
export function knownPerson(headers: Headers): string {
  const name = readPersonName(headers).slice(0, MOST_CHARACTERS.name);
  return name && !textIssue(name) ? name : "somebody";
}
