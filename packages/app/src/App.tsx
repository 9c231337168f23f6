import { createApp } from '@backstage/frontend-defaults';
import { commandsModule } from './modules/commands/commandsModule';
import { fetchModule } from './modules/fetch/fetchModule';
import { homeModule } from './modules/home/homeModule';
import { shellModule } from './modules/shell/shellModule';
import { signInModule } from './modules/signIn/signInModule';
import { themeModule } from './modules/theme/themeModule';

/**
 * What the portal is apart from its plugins. Plugins are found by being
 * dependencies of this package (`app.packages: all`).
 */
export const appModules = [
  themeModule,
  fetchModule,
  signInModule,
  shellModule,
  commandsModule,
  homeModule,
];

export const app = createApp({ features: appModules });
