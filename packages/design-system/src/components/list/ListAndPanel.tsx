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
import './ListAndPanel.css';

/** Props of {@link ListAndPanel}. */
export interface ListAndPanelProps {
  /** What is under the list, such as a DataTable and its note. */
  children: ReactNode;
  /** A SidePanel with the details of one row, while one is open. */
  panel?: ReactNode;
}

/**
 * A list with the details of one of its rows beside it; where there is no room
 * for both, the details alone.
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
  /** A StatusBadge or a few words beside the title. */
  status?: ReactNode;
  /** Called on the close button and on Escape. */
  onClose(): void;
  children: ReactNode;
}

/**
 * Details of one row beside its list; over it where there is no room. Takes the
 * focus when it opens, and gives it back to the row when it closes. What it shows has
 * an address of its own: the page opens and closes it by navigating.
 */
export function SidePanel(props: SidePanelProps) {
  const { title, status, onClose, children } = props;
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const openedFrom = useRef<Element | null>(null);
  useEffect(() => {
    openedFrom.current = document.activeElement;
    return () => {
      const isFocusLost = document.activeElement === document.body;
      if (isFocusLost && openedFrom.current instanceof HTMLElement) {
        openedFrom.current.focus();
      }
    };
  }, []);
  useEffect(() => heading.current?.focus(), [title]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      onClose();
    }
  };
  return (
    // Escape is heard wherever in the panel the focus is.
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
