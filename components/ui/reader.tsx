import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";

/** Who is signed in. An island has to provide it again. */
export const Reader = createContext<{
  /** The name that is recorded with what they do; null if it has to be asked for. */
  readonly name: string | null;
  readonly mayAct: boolean;
}>({ name: null, mayAct: true });

export function ForActing({ children }: { readonly children: ComponentChildren }) {
  return <>{useMayAct() && children}</>;
}

export function useMayAct(): boolean {
  return useContext(Reader).mayAct;
}

export function PersonField({ value, recorded }: {
  readonly value: string;
  /** What it is recorded with, such as `with the change`. */
  readonly recorded: string;
}) {
  const { name } = useContext(Reader);
  if (name !== null) return <p class="help">Recorded {recorded}: your name, {name}.</p>;
  return (
    <label class="row person">
      Your name (required), recorded {recorded}{" "}
      <input name="name" required maxLength={100} autocomplete="name" value={value} />
    </label>
  );
}
