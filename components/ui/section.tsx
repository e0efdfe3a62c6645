/** Parts of a page under a heading or a button. */
import { type ComponentChildren, Fragment } from "preact";
import { useContext } from "preact/hooks";
import { Refused } from "./form.tsx";
import { When } from "./moment.tsx";

/** A part of a page. `more` stands beside its heading, such as a link to the whole list. */
export function Section({ id, title, more, children }: {
  readonly id: string;
  readonly title: string;
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section aria-labelledby={id}>
      <div class="line apart heading">
        <h2 id={id}>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  );
}

export interface ShownFact {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly tone?: string;
}

/** Up to five facts side by side, each with a note below it. */
export function FactRow({ facts }: { readonly facts: readonly ShownFact[] }) {
  return (
    <dl class="box five">
      {facts.map(({ name, value, note, tone }) => (
        <div key={name} class={tone}>
          <dt>{name}</dt>
          <dd>
            {value}
            {tone && <span class="unseen">, needs attention</span>}
            {note && [" ", <small key="note">{note}</small>]}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What is done rarely, behind `⋯` or a name of its own. */
export function Menu({ label, name, children }: {
  readonly label?: string;
  readonly name?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="menu">
      <summary class={name ? "button" : "button icon"} aria-label={label}>
        {name ?? <span aria-hidden="true">⋯</span>}
      </summary>
      <div class="card stack">{children}</div>
    </details>
  );
}

/** A button that opens a form, which is open after a form with this field was refused. */
export function Change({ name, open = false, field = "", children }: {
  readonly name: string;
  readonly open?: boolean;
  readonly field?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="change" open={useContext(Refused).typed.has(field) || open}>
      <summary class="button">{name}</summary>
      {children}
    </details>
  );
}

interface Point {
  readonly at: number;
  /** The start of a stretch of time. */
  readonly since?: number;
  readonly href?: string;
  readonly isBad?: boolean;
  readonly words: ComponentChildren;
}

/** What happened, each point with its time. */
export function Happened({ points, label }: {
  readonly points: readonly Point[];
  readonly label?: string;
}) {
  return (
    <ol class="plain happened" aria-label={label}>
      {points.map(({ at, since, href, isBad, words }, place) => (
        <li key={place} class={isBad ? "bad" : undefined}>
          <b>
            {since !== undefined && [<When key="since" at={since} />, " to "]}
            {href
              ? (
                <a href={href}>
                  <When at={at} />
                </a>
              )
              : <When at={at} />}
          </b>{" "}
          {words}
        </li>
      ))}
    </ol>
  );
}

/** Pieces of a sentence with a separator between them. */
export function separated(pieces: readonly ComponentChildren[], separator = ", ") {
  return pieces.map((piece, place) => (
    <Fragment key={place}>{place > 0 && separator}{piece}</Fragment>
  ));
}
