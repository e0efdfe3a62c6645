import { Menus } from "../../../islands/Menus.tsx";

/** The console's own island, in the bare app. */
export function OwnMenus() {
  return <Menus />;
}
