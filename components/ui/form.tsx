import type { ComponentChildren } from "preact";

/** A control with a label. The id of the control is its name. */
export function Labelled({ name, label, issue, children }: {
  readonly name: string;
  readonly label: string;
  /** What is wrong with the value; the control refers to it by {@linkcode issueAttributes}. */
  readonly issue?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="labelled">
      <label for={name}>{label}</label>
      {children}
      {issue && <p id={`${name}-issue`} class="status bad">✕ {label} {issue}.</p>}
    </div>
  );
}

/** The attributes of a control whose value is wrong. */
export function issueAttributes(name: string, issue: string | undefined) {
  return issue ? { "aria-invalid": true, "aria-describedby": `${name}-issue` } as const : {};
}

export function Choice({ name, label, issue, options, selected }: {
  readonly name: string;
  readonly label: string;
  readonly issue?: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly selected?: string;
}) {
  return (
    <Labelled name={name} label={label} issue={issue}>
      <select id={name} name={name} {...issueAttributes(name, issue)}>
        {options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === selected}>{text}</option>
        ))}
      </select>
    </Labelled>
  );
}
