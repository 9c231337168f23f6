import {
  ExtensionBoundary,
  createExtensionBlueprint,
  createExtensionDataRef,
} from '@backstage/frontend-plugin-api';
import type { Command, CommandDialogProps } from './CommandsApi';

const commandDataRef = createExtensionDataRef<Command>().with({
  id: 'slipway.command',
});

/** Adds a command to the palette that Ctrl K (⌘ K) opens. */
export const CommandBlueprint = createExtensionBlueprint({
  kind: 'command',
  attachTo: { id: 'api:app/commands', input: 'commands' },
  output: [commandDataRef],
  dataRefs: { command: commandDataRef },
  *factory(
    params: {
      title: string;
      keywords?: readonly string[];
      /** Loads the dialog when the command is chosen. */
      loader(): Promise<(props: CommandDialogProps) => JSX.Element>;
    },
    { node },
  ) {
    yield commandDataRef({
      id: node.spec.id,
      title: params.title,
      keywords: params.keywords ?? [],
      Dialog: ExtensionBoundary.lazyComponent(node, params.loader),
    });
  },
});
