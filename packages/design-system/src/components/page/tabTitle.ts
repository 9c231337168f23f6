import { createContext, useContext, useEffect } from 'react';

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

/** The title of the panel that is open on a page, for its browser tab. */
interface OpenPanel {
  title: string | undefined;
  setTitle(title: string | undefined): void;
}

/** The open panel of the surrounding page; without a page, titles have no effect. */
export const OpenPanelContext = createContext<OpenPanel>({
  title: undefined,
  setTitle: () => undefined,
});

/**
 * Adds the title of something that has its own address on a page, such as a panel, to the title of
 * the browser tab, for as long as it is shown; undefined adds nothing.
 */
export function usePanelTitle(title: string | undefined): void {
  const { setTitle } = useContext(OpenPanelContext);
  useEffect(() => {
    setTitle(title);
    return () => setTitle(undefined);
  }, [title, setTitle]);
}
