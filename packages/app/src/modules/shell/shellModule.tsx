import { ReactNode } from 'react';
import { SidebarPinStateProvider } from '@backstage/core-components';
import {
  coreExtensionData,
  createExtension,
  createExtensionInput,
  createFrontendModule,
  NotFoundErrorPage,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  NavContentBlueprint,
  SwappableComponentBlueprint,
} from '@backstage/plugin-app-react';
import { appTranslationRef } from '../../translation';
import { Sidebar } from './Sidebar';
import './AppShell.css';

/** Props of {@link AppShell}. */
interface AppShellProps {
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
function AppShell({ nav, children }: AppShellProps) {
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

const navContent = NavContentBlueprint.make({
  params: { component: Sidebar },
});

// The name takes the place of Backstage's own layout (app/layout).
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

// The name takes the place of Backstage's own page.
const notFoundPage = SwappableComponentBlueprint.make({
  name: 'core-not-found-error-page',
  params: define =>
    define({
      component: NotFoundErrorPage,
      loader: () => import('./NotFoundPage').then(m => m.NotFoundPage),
    }),
});

/** Sidebar and page frame. */
export const shellModule = createFrontendModule({
  pluginId: 'app',
  extensions: [navContent, layout, notFoundPage],
});
