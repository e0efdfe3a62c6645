import { Component, type ComponentChildren, type Context } from "preact";

/**
 * Provides a context's value on the server. The context's own `Provider` creates functions that V8
 * allocates among long-lived objects. They keep each rendered page in memory until the next full
 * garbage collection, and copying those pages took a third of the server's time.
 */
export class Provided<Value> extends Component<{
  readonly context: Context<Value>;
  readonly value: Value;
  readonly children: ComponentChildren;
}> {
  override getChildContext(): object {
    // By this name, `useContext` looks for the provider of a context.
    return { [(this.props.context as unknown as { readonly __c: string }).__c]: this };
  }

  /** `useContext` subscribes to new values; a page is rendered once. */
  sub(): void {}

  override render(): ComponentChildren {
    return this.props.children;
  }
}
