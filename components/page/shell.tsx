import type { ComponentChildren } from "preact";
import { MemoryBanner } from "./memory_banner.tsx";

/** The frame of every page: a way past the header, the header with its places, the content, the footer. */
export function Shell({ theme, density, header, inMemory, footer, children }: {
  /** Light or dark, where the reader wants another scheme than the system's. */
  readonly theme: string;
  /** How close the rows of tables stand. */
  readonly density?: string;
  readonly header?: ComponentChildren;
  /** Whether the data is sample data in memory, which every page has to say. */
  readonly inMemory: boolean;
  readonly footer?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="shell" data-theme={theme} data-density={density}>
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
      {inMemory && <MemoryBanner />}
      <main id="main" tabIndex={-1}>{children}</main>
      {footer && <footer>{footer}</footer>}
    </div>
  );
}

const PLACES = [
  { href: "/filesets", name: "File sets" },
  { href: "/schedules", name: "Report schedules" },
] as const;

/** The places of the console, the present one marked, and the way out. */
export function Places({ pathname, service }: {
  readonly pathname: string;
  /** Which service the data comes from, in words. */
  readonly service: string;
}) {
  return (
    <>
      <nav aria-label="Places">
        <ul>
          {PLACES.map(({ href, name }) => (
            <li key={href}>
              <a href={href} aria-current={currency(pathname, href)}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <p class="service">{service}</p>
      <a href="/preferences" aria-current={currency(pathname, "/preferences")}>Preferences</a>
      <form method="post" action="/sign-out">
        <button type="submit" class="quiet">Sign out</button>
      </form>
    </>
  );
}

function currency(pathname: string, href: string): "page" | "true" | undefined {
  if (pathname === href) return "page";
  return pathname.startsWith(`${href}/`) ? "true" : undefined;
}
