import { createApp } from '@backstage/frontend-defaults';
import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { SignInPageBlueprint } from '@backstage/plugin-app-react';
import { adminApiModule, adminPlugin } from './modules/admin/adminModule';
import {
  apiListModule,
  catalogListModule,
} from './modules/catalog/catalogListModule';
import { importModule } from './modules/catalogImport/importModule';
import {
  cockpitModule,
  entityPartsModule,
} from './modules/cockpit/cockpitModule';
import { demoModule } from './modules/demo/demoModule';
import {
  entityApisModule,
  entityCardsModule,
  ownersModule,
} from './modules/entity/entityCardsModule';
import { entityPageModule } from './modules/entity/entityPageModule';
import { fetchModule } from './modules/fetch/fetchModule';
import { graphModule } from './modules/graph/graphModule';
import { homeModule } from './modules/home/homeModule';
import { notificationsModule } from './modules/notifications/notificationsModule';
import { paletteModule } from './modules/palette/paletteModule';
import { searchModule } from './modules/search/searchModule';
import { settingsModule } from './modules/settings/settingsModule';
import { shellModule } from './modules/shell/shellModule';
import { signInRequests } from './modules/signIn/SignInRequests';
import { themeModule } from './modules/theme/themeModule';
import { toastsModule } from './modules/toasts/toastsModule';

const signInPage = SignInPageBlueprint.make({
  params: {
    // Part of the main bundle: every first visit shows it, so a separate file would only add a
    // request.
    loader: () =>
      import(/* webpackMode: "eager" */ './modules/signIn/SignInPage').then(
        m => m.SignInPage,
      ),
  },
});

/** The sign-in page, and the dialog that asks to sign in while a page is open. */
const signInModule = createFrontendModule({
  pluginId: 'app',
  extensions: [signInPage, signInRequests],
});

/**
 * The portal without its plugins, which are discovered as dependencies of this package
 * (`app.packages: all`).
 */
export const appModules = [
  themeModule,
  toastsModule,
  fetchModule,
  signInModule,
  shellModule,
  paletteModule,
  entityPartsModule,
  catalogListModule,
  apiListModule,
  cockpitModule,
  entityPageModule,
  entityCardsModule,
  entityApisModule,
  ownersModule,
  graphModule,
  searchModule,
  notificationsModule,
  importModule,
  settingsModule,
  homeModule,
  demoModule,
  adminApiModule,
  adminPlugin,
];

export const app = createApp({ features: appModules });
