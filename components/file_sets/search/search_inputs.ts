/** The fields of the search form. */

/** The names of fields for additions. The form's other fields are the present view. */
export const INPUTS = {
  field: "new-field",
  not: "new-not",
  operator: "new-operator",
  otherOperator: "new-other-operator",
  value: "new-value",
  dateField: "new-date-field",
  dateNot: "new-date-not",
  preset: "new-preset",
  from: "new-from",
  through: "new-through",
  sortField: "new-sort",
  sortOrder: "new-order",
  column: "new-column",
} as const;

/** Whether parameters come from the form. */
export function isFromForm(params: URLSearchParams): boolean {
  return Object.values(INPUTS).some((name) => params.has(name));
}

/** What was typed, to be shown again. */
export function typedInto(params: URLSearchParams): Readonly<Record<string, string>> {
  const entries = Object.values(INPUTS)
    .filter((name) => name !== INPUTS.column && params.has(name))
    .map((name) => [name, params.get(name)!]);
  return Object.fromEntries(entries);
}
