/**
 * Returns the title of the browser tab: of sub-pages after the first, "Deployments | Delivery". The
 * first is the page itself.
 */
export function tabTitle(page: {
  title: string;
  tabs: readonly { id: string; label: string }[];
  activeTab: string | undefined;
}): string {
  const { title, tabs, activeTab } = page;
  const active = tabs.findIndex(({ id }) => id === activeTab);
  return active > 0 ? `${tabs[active].label} | ${title}` : title;
}
