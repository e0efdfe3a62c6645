import { useEffect } from "preact/hooks";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Remembers the browser's zone, in which pages show times until a person chooses another. */
export function RememberZone() {
  useEffect(() => {
    const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `docket_zone=${zone}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}${secure}`;
  }, []);
  return null;
}
