import type { ComponentChildren } from "preact";
import { formatMoment } from "../../lib/moments.ts";
import { Menu } from "../ui/section.tsx";
import { formatZone } from "../ui/moment.tsx";
import { PageTitle } from "./page_header.tsx";
import { MAX_TEXT } from "../../lib/filter_text.ts";

export function Shell({ title, theme, density, section, header, inMemory, footer, children }: {
  readonly title?: string;
  /** `light`, `dark`, or `system`. */
  readonly theme: string;
  readonly density?: string;
  /** The section of the page, as the class that its style sheet uses. Incidents are about runs. */
  readonly section?: "file-sets" | "runs";
  readonly header?: ComponentChildren;
  readonly inMemory: boolean;
  readonly footer?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="shell" data-theme={theme} data-density={density}>
      {title && <PageTitle title={title} />}
      <a class="skip" href="#main">Skip to content</a>
      <header class="line top">
        <a class="line brand" href="/">
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
      {footer && <footer class="line apart small">{footer}</footer>}
    </div>
  );
}

/** The sections, each with the paths of its icon on 20 by 20 units. */
const SECTIONS = [
  { href: "/", name: "Today", icon: "M4 5h12v11H4zM4 8.5h12M7 3v3M13 3v3" },
  {
    href: "/schedules",
    name: "Schedules",
    icon: "M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14zM10 6v4l3 2",
  },
  {
    href: "/people",
    name: "People",
    icon: "M10 4a3 3 0 1 0 0 6a3 3 0 0 0 0-6zM4 17c0-3 3-5 6-5s6 2 6 5",
  },
  { href: "/filesets", name: "File sets", icon: "M3 6h5l2 2h7v8H3z" },
  { href: "/incidents", name: "Incidents", icon: "M10 3l8 14H2zM10 8v4M10 14v1" },
] as const;

export function MainNavigation({ pathname, zone, person, mayOpen, openIncidents, goKey }: {
  readonly pathname: string;
  readonly openIncidents?: number | null;
  /** The reader's zone in words. */
  readonly zone?: string;
  /** Who is signed in, and as what; empty if nobody knows. */
  readonly person?: string;
  /** Whether the person's role suffices for a page. */
  readonly mayOpen?: (href: string) => boolean;
  /** The keys that focus the field, such as `Ctrl K`; on pages of errors, none do. */
  readonly goKey?: string;
}) {
  return (
    <>
      <nav aria-label="Main" class="sections">
        {SECTIONS.map(({ href, name, icon }) => (
          <a key={href} href={href} aria-current={currentState(pathname, href)}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d={icon} />
            </svg>
            {name}
            {href === "/incidents" && !!openIncidents && (
              <>
                {" "}
                <span class="pill">
                  {openIncidents}
                  <span class="unseen">&nbsp;open</span>
                </span>
              </>
            )}
          </a>
        ))}
      </nav>
      {pathname !== "/go" && (
        <form method="post" action="/go" role="search" aria-label="Go to" class="line go">
          <GoField />
          {goKey && <kbd>{goKey}</kbd>}
        </form>
      )}
      {zone && <a class="help" href="/preferences">{zone}</a>}
      <Menu label="Menu">
        {person && <p class="help">{person}</p>}
        {MENU.filter(({ href }) => mayOpen?.(href) ?? true).map(({ href, name }) => (
          <a key={href} href={href} aria-current={currentState(pathname, href)}>{name}</a>
        ))}
        <form method="post" action="/sign-out">
          <button type="submit" class="quiet">Sign out</button>
        </form>
      </Menu>
    </>
  );
}

const MENU = [
  { href: "/people/worklist", name: "Worklist" },
  { href: "/people/leavers", name: "Leavers" },
  { href: "/owners", name: "Owners" },
  { href: "/service", name: "Service" },
  { href: "/preferences", name: "Preferences" },
] as const;

/** The end of each page: what serves it, its updates, and in which zone its times are. */
export function Footer({ version, service, zone, children }: {
  readonly version: string;
  readonly service: string;
  readonly zone: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <>
      <p data-version={version}>Docket {version} · {service}</p>
      {children}
      <p>
        Times in {formatZone(zone)}
        {/* On paper, "today" needs it. */}
        <span class="printed">, shown {formatMoment(Date.now(), zone)}</span>
        <span>
          {" · "}
          <a href="/preferences">
            Change <span class="unseen">the zone</span>
          </a>
        </span>
      </p>
    </>
  );
}

function currentState(pathname: string, href: string): "page" | "true" | undefined {
  if (pathname === href) return "page";
  return href !== "/" && pathname.startsWith(`${href}/`) ? "true" : undefined;
}

/** The field that finds pages, schedules and people: in the header, or on the page `/go`. */
export function GoField({ text = "", isFocused }: {
  readonly text?: string;
  readonly isFocused?: boolean;
}) {
  return (
    <input
      type="search"
      name="q"
      aria-label="Go to"
      placeholder="Search or go to…"
      maxLength={MAX_TEXT}
      autocomplete="off"
      value={text}
      autofocus={isFocused}
      data-go
    />
  );
}
