import {
  coreExtensionData,
  createExtension,
  createExtensionInput,
  createFrontendModule,
  NotFoundErrorPage,
} from '@backstage/frontend-plugin-api';
import {
  NavContentBlueprint,
  SwappableComponentBlueprint,
} from '@backstage/plugin-app-react';
import { AppShell } from './AppShell';
import { Sidebar } from './Sidebar';

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
