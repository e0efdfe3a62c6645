import { Component, type ComponentChildren, type Context } from "preact";

/** A context's value, by the name by which `useContext` looks for its provider. */
export function provide<Value>(context: Context<Value>, value: Value) {
  return [(context as unknown as { readonly __c: string }).__c, value] as const;
}

/**
 * Provides contexts' values on the server. A context's own `Provider` creates functions that V8
 * allocates among long-lived objects. They keep each rendered page in memory until the next full
 * garbage collection, and copying those pages took a third of the server's time.
 */
export class Provided extends Component<{
  readonly values: readonly ReturnType<typeof provide>[];
  readonly children: ComponentChildren;
}> {
  override getChildContext(): object {
    // Nobody hears of new values: a page is rendered once.
    const sub = () => {};
    return Object.fromEntries(
      this.props.values.map(([name, value]) => [name, { props: { value }, sub }]),
    );
  }

  override render(): ComponentChildren {
    return this.props.children;
  }
}
