/** A rule for the days on which a schedule may run. */
import { type DayRule, readCron } from "../cron.ts";

export interface DayChoice {
  /** Day of the month, month and weekday, as in cron; any of them is due. */
  readonly fields: readonly string[];
  readonly rules: readonly DayRule[];
  readonly weeks: { readonly n: number; readonly rest: number } | null;
  readonly bits: number;
}

let rulesRead: Map<string, DayRule> | undefined;

export function choiceOf(
  fields: string | readonly string[],
  bits: number,
  weeks: DayChoice["weeks"] = null,
): DayChoice {
  const all = typeof fields === "string" ? [fields] : fields;
  return { fields: all, rules: all.map(ruleOf), weeks, bits };
}

export function ruleOf(fields: string): DayRule {
  rulesRead ??= new Map();
  let rule = rulesRead.get(fields);
  if (!rule) {
    rule = readCron(`0 0 ${fields}`).days;
    // There are at most a few thousand.
    rulesRead.set(fields, rule);
  }
  return rule;
}
