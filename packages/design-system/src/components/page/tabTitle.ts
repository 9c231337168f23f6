/**
 * Returns the title of the browser tab: of sub-pages after the first, "Deployments | Delivery". The
 * first is the page itself. An open panel comes first: "shop 1.4 | Deployments | Delivery".
 */
export function tabTitle(page: {
  title: string;
  tabs: readonly { id: string; label: string }[];
  activeTab: string | undefined;
  /** The title of the open panel. */
  panel?: string;
}): string {
  const { title, tabs, activeTab, panel } = page;
  const active = tabs.findIndex(({ id }) => id === activeTab);
  const place = active > 0 ? `${tabs[active].label} | ${title}` : title;
  return panel ? `${panel} | ${place}` : place;
}
