import { ReactNode } from 'react';
import { SidebarPinStateProvider } from '@backstage/core-components';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { appTranslationRef } from '../../translation';
import './AppShell.css';

/** Props of {@link AppShell}. */
export interface AppShellProps {
  nav: ReactNode;
  children: ReactNode;
}

const CONTENT_ID = 'slipway-content';

/**
 * The settings page offers to pin the stock sidebar unless it believes to be
 * on a phone. Our sidebar has a button of its own for that.
 */
const NO_STOCK_SIDEBAR = {
  isPinned: true,
  isMobile: true,
  toggleSidebarPinState: () => {},
};

/** Sidebar and content side by side; each scrolls by itself. */
export function AppShell({ nav, children }: AppShellProps) {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <div className="slw-AppShell">
      <a className="slw-SkipLink" href={`#${CONTENT_ID}`}>
        {t('nav.skip')}
      </a>
      {nav}
      <div className="slw-AppContent" id={CONTENT_ID} tabIndex={-1}>
        <SidebarPinStateProvider value={NO_STOCK_SIDEBAR}>
          {children}
        </SidebarPinStateProvider>
      </div>
    </div>
  );
}
