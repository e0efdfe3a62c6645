/** The embedded service: the store, and the developer tokens that it accepts. */
import { keptSecret } from "./data_folder.ts";
import { countingBy } from "./request_limit.ts";
import { sameSecret } from "./same_secret.ts";
import type { ServiceParts } from "./services.ts";
import type { Settings } from "./settings.ts";
import { openStore } from "./store/open.ts";
import { fillWithSample } from "./store/sample/fill.ts";

/** Opens the embedded service; one without data is given the sample's. */
export async function embeddedService(settings: Settings): Promise<ServiceParts> {
  const store = await openStore(settings);
  if (await store.isEmpty()) await fillWithSample(store, { now: new Date() });
  const embeddedToken = settings.serviceToken ?? keptSecret(settings.dataDir, "service-token");
  return {
    kind: "embedded",
    identity: "embedded",
    store,
    embeddedToken,
    backendFor: () => store,
    accepts: async (token) =>
      await sameSecret(token, embeddedToken) || await store.tokens.accepts(token, new Date()),
    countRequest: countingBy(settings.rateLimit, store.limit),
    reach: () => store.isEmpty(),
    close: async () => await store.close(),
  };
}
