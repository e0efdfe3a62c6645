import type { ComponentChildren, ComponentProps } from "preact";

export function Labelled({ name, label, issue, children }: {
  readonly name: string;
  readonly label: string;
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

export function Field({ name, label, issue, children, ...attributes }:
  & Omit<ComponentProps<"input">, "name" | "label">
  & {
    readonly name: string;
    readonly label: string;
    readonly issue?: string;
    readonly children?: ComponentChildren;
  }) {
  const wrong = issue && { "aria-invalid": true, "aria-describedby": `${name}-issue` } as const;
  return (
    <Labelled name={name} label={label} issue={issue}>
      <input id={name} name={name} {...attributes} {...wrong || {}} />
      {children}
    </Labelled>
  );
}

export function Choice({ name, label, issue, options, selected }: {
  readonly name: string;
  readonly label: string;
  readonly issue?: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly selected?: string;
}) {
  const wrong = issue && { "aria-invalid": true, "aria-describedby": `${name}-issue` } as const;
  return (
    <Labelled name={name} label={label} issue={issue}>
      <select id={name} name={name} {...wrong || {}}>
        {options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === selected}>{text}</option>
        ))}
      </select>
    </Labelled>
  );
}
