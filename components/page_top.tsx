import { Head } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import { type Trouble, TroubleNotice } from "./notice.tsx";

/** What a page begins with: its title, the way back, its heading, and what went wrong. */
export function PageTop({ title, path, trouble }: {
  readonly title: string;
  /** The way back to the pages above this one. */
  readonly path: ComponentChildren;
  readonly trouble: Trouble | null;
}) {
  return (
    <>
      <Head>
        <title>{`${title} · Docket`}</title>
      </Head>
      {path}
      <h1>{title}</h1>
      {trouble && <TroubleNotice trouble={trouble} />}
    </>
  );
}
