import { ReactNode, useRef } from 'react';
import { SidebarPinStateProvider } from '@backstage/core-components';
import {
  coreExtensionData,
  createExtension,
  createExtensionInput,
  createFrontendModule,
  NotFoundErrorPage,
  PageLayout as PageLayoutOfApp,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  NavContentBlueprint,
  SwappableComponentBlueprint,
} from '@backstage/plugin-app-react';
import { VisuallyHidden } from '@backstage/ui';
import { appTranslationRef } from '../../translation';
import { DemoBanner } from '../demo/DemoBanner';
import { PageLayout } from './PageLayout';
import { Sidebar } from './Sidebar';
import { setSidebarCollapsed, useSidebarCollapsed } from './sidebarCollapse';
import { usePageChanges } from './usePageChanges';
import './AppShell.css';

/** Props of {@link AppShell}. */
interface AppShellProps {
  nav: ReactNode;
  children: ReactNode;
}

const CONTENT_ID = 'slipway-content';

/** Renders the sidebar next to the content; each scrolls separately. */
function AppShell({ nav, children }: AppShellProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const isCollapsed = useSidebarCollapsed();
  const content = useRef<HTMLDivElement>(null);
  const openedPage = usePageChanges(content);
  // For plugins that adapt to the sidebar of Backstage, or change it.
  const sidebar = {
    isPinned: !isCollapsed,
    isMobile: false,
    toggleSidebarPinState: () => setSidebarCollapsed(!isCollapsed),
  };
  return (
    <div className="slw-AppShell">
      <a
        className="slw-SkipLink"
        href={`#${CONTENT_ID}`}
        // Following the link would add its fragment to the address, and an entry to the history.
        onClick={event => {
          event.preventDefault();
          content.current?.focus();
        }}
      >
        {t('nav.skip')}
      </a>
      {nav}
      <VisuallyHidden>
        <span aria-live="polite">{openedPage}</span>
      </VisuallyHidden>
      <div
        ref={content}
        className="slw-AppContent"
        id={CONTENT_ID}
        tabIndex={-1}
      >
        <DemoBanner />
        <SidebarPinStateProvider value={sidebar}>
          {children}
        </SidebarPinStateProvider>
      </div>
    </div>
  );
}

const navContent = NavContentBlueprint.make({
  params: { component: Sidebar },
});

// The name replaces Backstage's own layout (app/layout).
const layout = createExtension({
  name: 'layout',
  attachTo: { id: 'app/root', input: 'children' },
  inputs: {
    nav: createExtensionInput([coreExtensionData.reactElement], {
      singleton: true,
    }),
    content: createExtensionInput([coreExtensionData.reactElement], {
      singleton: true,
    }),
  },
  output: [coreExtensionData.reactElement],
  factory: ({ inputs }) => [
    coreExtensionData.reactElement(
      <AppShell nav={inputs.nav.get(coreExtensionData.reactElement)}>
        {inputs.content.get(coreExtensionData.reactElement)}
      </AppShell>,
    ),
  ],
});

// The name replaces Backstage's own page.
const notFoundPage = SwappableComponentBlueprint.make({
  name: 'core-not-found-error-page',
  params: define =>
    define({
      component: NotFoundErrorPage,
      loader: () => import('./NotFoundPage').then(m => m.NotFoundPage),
    }),
});

// The name replaces Backstage's own header.
const pageLayout = SwappableComponentBlueprint.make({
  name: 'core-page-layout',
  params: define =>
    define({ component: PageLayoutOfApp, loader: () => PageLayout }),
});

/** Sidebar and page frame. */
export const shellModule = createFrontendModule({
  pluginId: 'app',
  extensions: [navContent, layout, notFoundPage, pageLayout],
});
