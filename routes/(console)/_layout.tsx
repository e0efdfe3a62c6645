import { Places, Shell } from "../../components/shell.tsx";
import { layout } from "./$_layout.ts";

export default layout(({ Component, url, state }) => {
  const { kind, settings } = state.services;
  const service = kind === "embedded"
    ? "Embedded service"
    : `Upstream ${new URL(settings.serviceBaseUrl ?? "").host}`;
  return (
    <Shell header={<Places pathname={url.pathname} service={service} />}>
      <Component />
    </Shell>
  );
});
