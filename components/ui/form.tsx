import type { ComponentChildren } from "preact";

/** A control with a label. The id of the control is its name. */
export function Labelled({ name, label, children }: {
  readonly name: string;
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="labelled">
      <label for={name}>{label}</label>
      {children}
    </div>
  );
}

/** A choice between options. */
export function Choice({ name, label, options, selected }: {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly selected?: string;
}) {
  return (
    <Labelled name={name} label={label}>
      <select id={name} name={name}>
        {options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === selected}>{text}</option>
        ))}
      </select>
    </Labelled>
  );
}
