import {
  ApiBlueprint,
  createExtensionInput,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import { CommandBlueprint, commandsApiRef } from '@slipway/app-react';

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
export const commandsModule = createFrontendModule({
  pluginId: 'app',
  extensions: [commandsApi],
});
