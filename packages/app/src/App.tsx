import { createApp } from '@backstage/frontend-defaults';
import {
  ApiBlueprint,
  createExtensionInput,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import { SignInPageBlueprint } from '@backstage/plugin-app-react';
import { CommandBlueprint, commandsApiRef } from '@slipway/app-react';
import {
  cockpitModule,
  entityPartsModule,
} from './modules/cockpit/cockpitModule';
import { fetchModule } from './modules/fetch/fetchModule';
import { graphModule } from './modules/graph/graphModule';
import { homeModule } from './modules/home/homeModule';
import { shellModule } from './modules/shell/shellModule';
import { themeModule } from './modules/theme/themeModule';

const commandsApi = ApiBlueprint.makeWithOverrides({
  name: 'commands',
  inputs: {
    commands: createExtensionInput([CommandBlueprint.dataRefs.command]),
  },
  factory: (originalFactory, { inputs }) =>
    originalFactory(define =>
      define({
        api: commandsApiRef,
        deps: {},
        factory: () => {
          const commands = inputs.commands.map(input =>
            input.get(CommandBlueprint.dataRefs.command),
          );
          return { list: () => commands };
        },
      }),
    ),
});

/** Collects the commands of all plugins for the palette. */
const commandsModule = createFrontendModule({
  pluginId: 'app',
  extensions: [commandsApi],
});

const signInPage = SignInPageBlueprint.make({
  params: {
    loader: () => import('./modules/signIn/SignInPage').then(m => m.SignInPage),
  },
});

/** The sign-in page. */
const signInModule = createFrontendModule({
  pluginId: 'app',
  extensions: [signInPage],
});

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
  entityPartsModule,
  cockpitModule,
  graphModule,
  homeModule,
];

export const app = createApp({ features: appModules });
