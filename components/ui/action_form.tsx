import type { ComponentProps } from "preact";
import { useMayAct } from "./reader.tsx";

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

/** A form that changes something, for those who may. */
export function ActionForm(
  { values = {}, children, ...form }:
    & ComponentProps<"form">
    & Partial<Parameters<typeof HiddenFields>[0]>,
) {
  if (!useMayAct()) return null;
  return (
    <form method="post" {...form}>
      <FormKey />
      <HiddenFields values={values} />
      {children}
    </form>
  );
}
