import { createContext, useContext, useEffect } from 'react';

/** The title of the panel that is open on a page, for its browser tab. */
interface OpenPanel {
  title: string | undefined;
  setTitle(title: string | undefined): void;
}

/** The open panel of the page around; without a page, titles have no effect. */
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
