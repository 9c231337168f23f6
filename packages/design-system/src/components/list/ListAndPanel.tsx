import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from 'react';
import { ButtonIcon } from '@backstage/ui';
import { RiCloseLine } from '@remixicon/react';
import { messages } from '../../messages';
import { usePanelTitle } from '../page/tabTitle';
import { focusPlace, placeOf } from './focusNearby';
import './ListAndPanel.css';

/** Props of {@link ListAndPanel}. */
export interface ListAndPanelProps {
  /** The list, such as a DataTable and its note. */
  children: ReactNode;
  /** A SidePanel with the details of a row, if one is open. */
  panel?: ReactNode;
}

/**
 * A list with the details of one of its rows next to it; if there is no room for both, only the
 * details.
 */
export function ListAndPanel({ children, panel }: ListAndPanelProps) {
  return (
    <div className="slw-ListAndPanel" data-open={Boolean(panel)}>
      <div className="slw-ListAndPanelList">{children}</div>
      {panel}
    </div>
  );
}

/** Props of {@link SidePanel}. */
export interface SidePanelProps {
  title: string;
  /** A StatusBadge or a few words next to the title. */
  status?: ReactNode;
  /** Called by the close button and on Escape. */
  onClose(): void;
  children: ReactNode;
}

/**
 * Details of a row next to its list, or on top of it if there is no room. Moves the focus into the
 * panel when it opens, and back to the row when it closes, or near it if the row was deleted. Its
 * content has its own address: the page opens and closes it by navigating, and the browser tab has
 * its title while it is open.
 */
export function SidePanel(props: SidePanelProps) {
  const { title, status, onClose, children } = props;
  const titleId = useId();
  usePanelTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const openedFrom = document.activeElement;
    const place =
      openedFrom instanceof HTMLElement ? placeOf(openedFrom) : undefined;
    return () => {
      if (place && document.activeElement === document.body) {
        focusPlace(place);
      }
    };
  }, []);
  useEffect(() => {
    const panel = heading.current?.closest('aside');
    // A title that loads late must not take the focus from what the user has moved on to.
    if (!panel?.contains(document.activeElement)) {
      heading.current?.focus();
    }
  }, [title]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      onClose();
    }
  };
  return (
    // Escape works anywhere in the panel.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      className="slw-SidePanel"
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
    >
      <div className="slw-SidePanelHead">
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {status}
        <ButtonIcon
          size="small"
          variant="tertiary"
          aria-label={messages.close}
          icon={<RiCloseLine size={16} />}
          onPress={onClose}
        />
      </div>
      <div className="slw-SidePanelBody">{children}</div>
    </aside>
  );
}
