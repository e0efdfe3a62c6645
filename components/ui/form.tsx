import { type ComponentChildren, type ComponentProps, createContext } from "preact";
import { useContext } from "preact/hooks";

/** Who is signed in. An island has to provide it again. */
export const CurrentPerson = createContext<{
  /** The name that is recorded with their actions; null if nobody has verified it. */
  readonly name: string | null;
  /** The name that they typed before; empty if there is none. */
  readonly typed: string;
  readonly mayAct: boolean;
  readonly seesRecords: boolean;
}>({ name: null, typed: "", mayAct: true, seesRecords: true });

/** A form that was sent and not done: what was typed, and what is wrong with it. */
export interface RefusedForm {
  readonly typed: URLSearchParams;
  /** What is wrong with a field, by its name; `person` lacks a name. */
  readonly issues: Readonly<Record<string, string>>;
  /** What else is wrong, and the lines of a file where it is. */
  readonly errors: readonly string[];
}

export const NOT_REFUSED: RefusedForm = { typed: new URLSearchParams(), issues: {}, errors: [] };

export const Refused = createContext(NOT_REFUSED);

/** The page's address, to which an action returns. */
export const PageAddress = createContext("/");

export function OperatorsOnly({ children }: { readonly children: ComponentChildren }) {
  return <>{useMayAct() && children}</>;
}

export function useMayAct(): boolean {
  return useContext(CurrentPerson).mayAct;
}

/**
 * Whose name is recorded with an action: asked for once, unless somebody has verified it. `value` may
 * be of a link, and so the name of whoever wrote that.
 */
export function PersonField({ value }: { readonly value?: string }) {
  const { name, typed } = useContext(CurrentPerson);
  const refused = useContext(Refused);
  if (name !== null) return <p class="help">Acting as {name}</p>;
  const known = refused.typed.get("name") || typed || value;
  const field = (
    <input
      name="name"
      aria-label={known ? "Acting as" : undefined}
      // In what is closed, browsers can't ask for it.
      required={!known}
      autofocus={!known && refused.issues.person !== undefined}
      maxLength={100}
      autocomplete="name"
      placeholder="Your name"
      value={known}
    />
  );
  if (!known) return <label class="row person">Acting as {field}</label>;
  return (
    <details class="person">
      <summary>Acting as {known}</summary>
      {field}
    </details>
  );
}

/** Whose name is recorded with what the buttons of a list do. */
export function ActingAs() {
  const { name, typed, mayAct } = useContext(CurrentPerson);
  const shown = name ?? typed;
  return shown && mayAct ? <p class="small person">Acting as {shown}</p> : null;
}

/** The key of a form, by which the server does once what it is sent twice. */
export function FormKey() {
  return <input type="hidden" name="form_key" value={crypto.randomUUID()} />;
}

/** What a form sends unseen, by the names of its fields; without what is undefined. */
export function HiddenFields({ values }: {
  readonly values: Readonly<Record<string, string | number | undefined>>;
}) {
  return (
    <>
      {Object.entries(values).map(([name, value]) =>
        value !== undefined && <input key={name} type="hidden" name={name} value={value} />
      )}
    </>
  );
}

/** A form that changes something, for those who may, and returns to the page. */
export function ActionForm(
  { values = {}, children, ...form }:
    & ComponentProps<"form">
    & Partial<Parameters<typeof HiddenFields>[0]>,
) {
  const next = useContext(PageAddress);
  if (!useMayAct()) return null;
  return (
    <form method="post" {...form}>
      <FormKey />
      <HiddenFields values={{ ...values, next: values.next ?? next }} />
      {children}
    </form>
  );
}

interface FieldTexts {
  readonly name: string;
  readonly label: string;
  /** What to enter. */
  readonly help?: string;
  /** What is wrong, said instead of the help. */
  readonly issue?: string;
}

/** A field with its label above it. With `rows` it takes several lines. */
export function Field({ name, label, help, rows, children, ...attributes }:
  & FieldTexts
  & Omit<ComponentProps<"input">, keyof FieldTexts>
  & {
    readonly rows?: number;
    readonly children?: ComponentChildren;
  }) {
  const { typed, issues } = useContext(Refused);
  const { issue = issues[name], ...given } = attributes;
  const control = { ...described({ name, help, issue }), ...given };
  // Secrets are never shown again.
  if (given.type !== "password") control.value = typed.get(name) ?? given.value;
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

/** The file of an upload. */
export function FileField({ kinds, accept }: { readonly kinds: string; readonly accept: string }) {
  return (
    <Field name="file" label={`${kinds} file, at most 4 MB`} type="file" accept={accept} required />
  );
}

export function Choice({ name, label, options, selected }: FieldTexts & {
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly selected?: string;
}) {
  const { typed, issues: { [name]: issue } } = useContext(Refused);
  const chosen = typed.get(name) ?? selected;
  return (
    <Labelled {...{ name, label, issue }}>
      <select {...described({ name, issue })}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>{text}</option>
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
