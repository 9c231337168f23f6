import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

/** The element in the page's header into which the open tab renders its main action. */
export const HeaderPlace = createContext<HTMLElement | null>(null);

/** Renders the main action of a tab at the right of the page's header. */
export function HeaderAction({ children }: { children: ReactNode }) {
  const place = useContext(HeaderPlace);
  return place && createPortal(children, place);
}
