import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";

/** Who is signed in. An island has to provide it again. */
export const Reader = createContext<{
  /** The name that is recorded with their actions; null if forms have to ask for it. */
  readonly name: string | null;
  readonly mayAct: boolean;
}>({ name: null, mayAct: true });

export function ForActing({ children }: { readonly children: ComponentChildren }) {
  return <>{useMayAct() && children}</>;
}

export function useMayAct(): boolean {
  return useContext(Reader).mayAct;
}

export function PersonField({ value }: { readonly value: string }) {
  const { name } = useContext(Reader);
  if (name !== null) return <p class="help">Recorded with your name, {name}.</p>;
  return (
    <label class="row person">
      Your name (required, recorded with the action){" "}
      <input name="name" required maxLength={100} autocomplete="name" value={value} />
    </label>
  );
}
