import type { ComponentChildren } from "preact";
import { GoField } from "./go/go_field.tsx";
import { PageTitle } from "./page_header.tsx";

export function Shell({ title, theme, density, section, header, inMemory, footer, children }: {
  readonly title?: string;
  /** `light`, `dark`, or `system`. */
  readonly theme: string;
  readonly density?: string;
  /** The section of the page, as the class that its style sheet uses. Incidents are about runs. */
  readonly section?: "file-sets" | "runs";
  readonly header?: ComponentChildren;
  readonly inMemory: boolean;
  readonly footer?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="shell" data-theme={theme} data-density={density}>
      {title && <PageTitle title={title} />}
      <a class="skip" href="#main">Skip to content</a>
      <header class="top">
        <a class="brand" href="/">
          <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
            <rect x="4" y="2" width="24" height="28" rx="4" />
            <path d="M10 10h12M10 16h12M10 22h7" />
          </svg>
          Docket
        </a>
        {header}
      </header>
      {inMemory && (
        <aside class="banner" aria-label="About this data">
          <strong>Sample data in memory.</strong>{" "}
          Changes are lost on restart, and each instance has its own copy. Set{" "}
          <code>DATABASE_URL</code> to keep data, or <code>SERVICE_BASE_URL</code>{" "}
          to use your service.
        </aside>
      )}
      <main id="main" class={section} tabIndex={-1}>{children}</main>
      {footer && <footer>{footer}</footer>}
    </div>
  );
}

const SECTIONS = [
  { href: "/", name: "Today" },
  { href: "/schedules", name: "Schedules" },
  { href: "/people", name: "People" },
  { href: "/filesets", name: "File sets" },
  { href: "/incidents", name: "Incidents" },
] as const;

export function MainNavigation({ pathname, service, openIncidents, goKey }: {
  readonly pathname: string;
  readonly openIncidents: number | null;
  readonly service: string;
  /** The keys that focus the field, such as `Ctrl K`; null if shortcuts are off. */
  readonly goKey: string | null;
}) {
  return (
    <>
      <nav aria-label="Main">
        <ul class="tabs">
          {SECTIONS.map(({ href, name }) => (
            <li key={href}>
              <a
                href={href}
                aria-current={currentState(pathname, href)}
              >
                {name}
                {href === "/incidents" && !!openIncidents && ` (${openIncidents})`}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {pathname !== "/go" && (
        <form action="/go" role="search" aria-label="Go to" class="go">
          <GoField />
          {goKey && <kbd>{goKey}</kbd>}
        </form>
      )}
      <p class="service">{service}</p>
      <a href="/preferences" aria-current={currentState(pathname, "/preferences")}>Preferences</a>
      <form method="post" action="/sign-out">
        <button type="submit" class="quiet">Sign out</button>
      </form>
    </>
  );
}

function currentState(pathname: string, href: string): "page" | "true" | undefined {
  if (pathname === href) return "page";
  return href !== "/" && pathname.startsWith(`${href}/`) ? "true" : undefined;
}
