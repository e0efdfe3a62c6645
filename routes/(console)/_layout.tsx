import { Footer, MainNavigation, Shell } from "../../components/page/shell.tsx";
import { AutoRefresh } from "../../islands/AutoRefresh.tsx";
import { Menus } from "../../islands/Menus.tsx";
import { provide, Provided } from "../../components/ui/provided.ts";
import { CurrentPerson, NOT_REFUSED, PageAddress, Refused } from "../../components/ui/form.tsx";
import { formatZone, Now, Zone } from "../../components/ui/moment.tsx";
import { AddressesShown } from "../../components/runs/recipients/address.tsx";
import { Statuses } from "../../components/runs/run_words.tsx";
import { mayOpen } from "../../server/actions/roles.ts";
import { readPersonName } from "../../server/http/cookies.ts";
import { isInMemory } from "../../server/config/settings.ts";
import { VERSION } from "../../server/config/version.ts";
import { RowForm } from "../../components/runs/incidents/incident_words.tsx";
import { Notice } from "./_notice.tsx";
import { layout } from "./$_layout.ts";

export default layout(({ Component, req, url: { pathname, search, searchParams }, state }) => {
  const {
    isSample,
    openIncidents,
    person,
    role,
    services: { settings },
    preferences: { theme, density, zone },
    refused = NOT_REFUSED,
  } = state;
  const { serviceBaseUrl } = settings;
  const service = serviceBaseUrl === null
    ? `embedded service${isSample ? ", sample data" : ""}`
    : `service at ${new URL(serviceBaseUrl).host}`;
  const section = pathname.startsWith("/filesets") ? "file-sets" : "runs";
  return (
    <Shell
      theme={theme}
      density={density}
      section={section}
      header={
        <MainNavigation
          pathname={pathname}
          zone={formatZone(zone)}
          mayOpen={(href) => mayOpen(role!, href)}
          person={[person?.name, ROLE_WORDS[role!]].filter(Boolean).join(" · ")}
          openIncidents={openIncidents}
          goKey={goKey(req.headers)}
        />
      }
      inMemory={isInMemory(settings)}
      footer={
        <Footer version={VERSION} service={service} zone={zone}>
          {section === "runs" && <AutoRefresh zone={zone} />}
        </Footer>
      }
    >
      <Provided
        values={[
          provide(Zone, zone),
          provide(Now, Date.now()),
          provide(CurrentPerson, {
            name: person?.name ?? null,
            typed: readPersonName(req.headers),
            mayAct: role === "operator",
            seesRecords: role !== "user",
          }),
          provide(PageAddress, refused.typed.get("next") ?? pathname + search),
          provide(Refused, refused),
          provide(Statuses, state.statuses),
          provide(AddressesShown, searchParams.get("addresses") === "shown"),
        ]}
      >
        <Notice headers={req.headers} />
        <Component />
        {section === "runs" && <RowForm />}
      </Provided>
      <script src="/keys.js" />
      <Menus />
    </Shell>
  );
});

const ROLE_WORDS = { user: "without records", reader: "reader", operator: "" } as const;

function goKey(headers: Headers): string {
  return /Mac OS X|iPhone|iPad/.test(headers.get("user-agent") ?? "") ? "⌘ K" : "Ctrl K";
}
