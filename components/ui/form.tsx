import type { ComponentChildren, ComponentProps } from "preact";

interface FieldTexts {
  readonly name: string;
  readonly label: string;
  /** What to enter. */
  readonly help?: string;
  /** What is wrong, said instead of the help. */
  readonly issue?: string;
}

/** A field with its label above it. With `rows` it takes several lines. */
export function Field({ name, label, help, issue, rows, children, ...attributes }:
  & FieldTexts
  & Omit<ComponentProps<"input">, keyof FieldTexts>
  & {
    readonly rows?: number;
    readonly children?: ComponentChildren;
  }) {
  const control = { ...described({ name, help, issue }), ...attributes };
  return (
    <Labelled {...{ name, label, help, issue }}>
      {rows
        ? (
          <textarea
            {...control as ComponentProps<"textarea">}
            rows={rows}
            cols={34}
            spellcheck={false}
          />
        )
        : <input {...control} />}
      {children}
    </Labelled>
  );
}

export function Choice({ name, label, help, issue, options, selected }: FieldTexts & {
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly selected?: string;
}) {
  return (
    <Labelled {...{ name, label, help, issue }}>
      <select {...described({ name, help, issue })}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === selected}>{text}</option>
        ))}
      </select>
    </Labelled>
  );
}

function described({ name, help, issue }: Omit<FieldTexts, "label">) {
  return {
    id: name,
    name,
    "aria-describedby": help || issue ? `${name}-help` : undefined,
    "aria-invalid": issue ? true : undefined,
    // The first of them gets the focus.
    autofocus: Boolean(issue),
  } as const;
}

function Labelled({ name, label, help, issue, children }: FieldTexts & {
  readonly children: ComponentChildren;
}) {
  return (
    <div class="labelled">
      <label for={name}>{label}</label>
      {children}
      {issue
        ? (
          <p id={`${name}-help`} class="status bad">
            <span aria-hidden="true">✕</span> {label} {issue}.
          </p>
        )
        : help && <p id={`${name}-help`} class="help">{help}</p>}
    </div>
  );
}
