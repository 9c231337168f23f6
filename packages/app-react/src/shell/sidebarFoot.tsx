import { type ReactNode, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';

let foot: HTMLElement | null = null;
const listeners = new Set<() => void>();

function setFoot(element: HTMLElement | null): void {
  foot = element;
  listeners.forEach(listener => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The place at the bottom of the sidebar for elements that plugins add to every page. */
export function SidebarFootSlot() {
  return <div ref={setFoot} />;
}

/** Props of {@link SidebarFootButton}. */
export interface SidebarFootButtonProps {
  label: string;
  /** 20 px high. */
  icon: ReactNode;
  onPress(): void;
  /** Rendered instead if there is no sidebar. */
  otherwise?: ReactNode;
}

/** A button at the bottom of the sidebar, on every page. */
export function SidebarFootButton(props: SidebarFootButtonProps) {
  const { label, icon, onPress, otherwise } = props;
  const element = useSyncExternalStore(subscribe, () => foot);
  return element ? (
    createPortal(
      <button
        type="button"
        className="slw-NavLink"
        title={label}
        onClick={onPress}
      >
        <span className="slw-NavIcon" aria-hidden>
          {icon}
        </span>
        <span className="slw-NavText">{label}</span>
      </button>,
      element,
    )
  ) : (
    <>{otherwise}</>
  );
}
