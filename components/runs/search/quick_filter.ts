/**
 * The quick filter of runs: the few conditions that have their own field in the form. A link may
 * use these fields too, and is redirected to the search that they stand for.
 */
import { timeText } from "../../../lib/format.ts";
import { addDays, startOfDay } from "../../../lib/days.ts";
import { calendarDays } from "../../../lib/search/date_ranges.ts";
import type { DateFilter, Filter, SearchBody } from "../../../lib/types.ts";

export interface QuickFilter {
  readonly status?: readonly string[];
  readonly trigger?: string;
  /** The first day, such as `2026-11-01`. */
  readonly from?: string;
  readonly through?: string;
  /** With or without a unit; in seconds without one. */
  readonly minSeconds?: string | number;
  readonly maxSeconds?: string | number;
  readonly attachments?: string;
  /** A user id, a domain, or something that identifies them. */
  readonly recipient?: string | number;
  readonly text?: string;
}

export const QUICK_FIELDS = {
  status: "status",
  trigger: "trigger",
  from: "from",
  through: "through",
  minSeconds: "min-seconds",
  maxSeconds: "max-seconds",
  attachments: "attachments",
  recipient: "recipient",
  text: "text",
} as const satisfies Record<keyof QuickFilter, string>;

export function formatQuickFilter(filter: QuickFilter): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, name] of Object.entries(QUICK_FIELDS)) {
    const value = filter[key as keyof QuickFilter];
    for (const text of [value ?? []].flat()) params.append(name, String(text));
  }
  return params;
}

export interface FieldIssue {
  readonly field: string;
  readonly detail: string;
}

/** The recipient that somebody typed, or why nobody was found. */
export type FindRecipient = (typed: string) => { readonly userId: number } | string;

/** The conditions of the quick filter's fields. */
export function readQuickFilter(
  params: URLSearchParams,
  { zone, findRecipient }: { readonly zone: string; readonly findRecipient: FindRecipient },
): { readonly body: SearchBody; readonly issues: readonly FieldIssue[] } {
  const filters: Filter[] = [];
  const dateFilters: DateFilter[] = [];
  const issues: FieldIssue[] = [];
  const text = (name: keyof QuickFilter) => params.get(QUICK_FIELDS[name])?.trim() ?? "";
  const issue = (name: keyof QuickFilter, detail: string) =>
    issues.push({ field: QUICK_FIELDS[name], detail });

  const statuses = [...new Set(params.getAll(QUICK_FIELDS.status).filter(Boolean))];
  if (statuses.length > 0) filters.push({ field: "status", operator: "EQUALS", value: statuses });

  const trigger = text("trigger");
  if (trigger === "automated" || trigger === "manual") {
    const value = [String(trigger === "automated")];
    filters.push({ field: "automated", operator: "EQUALS", value });
  } else if (trigger) issue("trigger", "must be automated or manual");

  const bound = (name: "from" | "through", daysLater: number) => {
    const day = text(name);
    if (!day) return undefined;
    if (startOfDay(day, "UTC") === undefined) {
      issue(name, "must be a date, such as 2026-01-31");
      return undefined;
    }
    return timeText(startOfDay(addDays(day, daysLater), zone)!);
  };
  const start = bound("from", 0);
  const end = bound("through", 1);
  if (start && end && start >= end) issue("through", "must not be before From");
  if (start || end) {
    dateFilters.push({ field: "startTime", ...(start && { start }), ...(end && { end }) });
  }

  const seconds = (name: "minSeconds" | "maxSeconds", operator: string) => {
    const typed = text(name);
    if (!typed) return;
    const value = readSeconds(typed);
    if (value === undefined) issue(name, "must be a time, such as 90 s or 2 min");
    else filters.push({ field: "duration", operator, value: [value] });
  };
  seconds("minSeconds", "GREATER_THAN_OR_EQUAL");
  seconds("maxSeconds", "LESS_THAN_OR_EQUAL");

  const attachments = text("attachments");
  if (attachments === "with") {
    filters.push({ field: "attachmentCount", operator: "GREATER_THAN", value: ["0"] });
  } else if (attachments === "without") {
    filters.push({ field: "attachmentCount", operator: "EQUALS", value: ["0"] });
  } else if (attachments) issue("attachments", "must be with or without");

  const recipient = text("recipient");
  const domain = /^@?([^\s@]+\.[^\s@.]+)$/.exec(recipient)?.[1];
  if (domain) {
    filters.push({ field: "recipientDomain", operator: "EQUALS", value: [domain.toLowerCase()] });
  } else if (recipient) {
    const found = findRecipient(recipient);
    if (typeof found === "string") issue("recipient", found);
    else filters.push({ field: "recipient", operator: "EQUALS", value: [String(found.userId)] });
  }

  if (text("text")) filters.push({ field: "text", operator: "LIKE", value: [text("text")] });
  return { body: { filters, dateFilters }, issues };
}

/** A duration in seconds from a text that may have a unit, such as `2 min`. */
export function readSeconds(text: string): string | undefined {
  return readUnits(text, { "": 1, s: 1, min: 60, h: 3600 });
}

/** A size in bytes from a text that may have a unit, such as `1.5 MB`. */
export function readBytes(text: string): string | undefined {
  const bytes = readUnits(text, { "": 1, bytes: 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9 });
  return bytes === undefined ? undefined : String(Math.round(Number(bytes)));
}

function readUnits(text: string, units: Readonly<Record<string, number>>): string | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = number !== undefined && Object.hasOwn(units, unit.toLowerCase())
    ? units[unit.toLowerCase()]
    : undefined;
  return factor === undefined ? undefined : String(Number(number) * factor);
}

/** The quick filter that shows a search, and the conditions that it has no fields for. */
export function splitSearch(body: SearchBody, zone: string): {
  readonly quick: QuickFilter;
  readonly rest: SearchBody;
} {
  const quick: Record<string, string | readonly string[]> = {};
  const take = (name: keyof QuickFilter, value: string | readonly string[] | undefined) => {
    if (value === undefined || Object.hasOwn(quick, name)) return false;
    quick[name] = value;
    return true;
  };
  const filters = (body.filters ?? []).filter(({ field, operator, value = [], not }) => {
    if (not) return true;
    if (field === "status" && operator === "EQUALS") return !take("status", value);
    if (value.length !== 1) return true;
    const [only] = value;
    switch (`${field} ${operator}`) {
      case "automated EQUALS":
        return !take("trigger", only === "true" ? "automated" : "manual");
      case "duration GREATER_THAN_OR_EQUAL":
        return !take("minSeconds", `${only} s`);
      case "duration LESS_THAN_OR_EQUAL":
        return !take("maxSeconds", `${only} s`);
      case "attachmentCount GREATER_THAN":
        return only !== "0" || !take("attachments", "with");
      case "attachmentCount EQUALS":
        return only !== "0" || !take("attachments", "without");
      case "recipient EQUALS":
        return !take("recipient", only);
      case "recipientDomain EQUALS":
        return !take("recipient", `@${only}`);
      case "text LIKE":
        return !take("text", only);
    }
    return true;
  });
  const dateFilters = (body.dateFilters ?? []).filter(({ field, start, end, not }) => {
    const { first, last } = calendarDays({ start, end }, zone) ?? {};
    const isDays = first !== undefined || last !== undefined;
    if (field !== "startTime" || not || !isDays || quick.from || quick.through) return true;
    take("from", first);
    take("through", last);
    return false;
  });
  const { fieldSort } = body;
  return { quick, rest: { ...(fieldSort ? { fieldSort } : {}), filters, dateFilters } };
}
