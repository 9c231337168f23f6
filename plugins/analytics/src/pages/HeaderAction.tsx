import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

/** The element in the header of the page that receives the main action of the open tab. */
export const HeaderPlace = createContext<HTMLElement | null>(null);

/** Shows the main action of a tab at the right of the page's header. */
export function HeaderAction({ children }: { children: ReactNode }) {
  const place = useContext(HeaderPlace);
  return place && createPortal(children, place);
}
