import type { ComponentType } from 'react';
import {
  createApiRef,
  createExtensionBlueprint,
  createExtensionDataRef,
  ExtensionBoundary,
} from '@backstage/frontend-plugin-api';

/** Props of the dialog of a command. */
export interface CommandDialogProps {
  /** Closed by the reader, or done. */
  onClose(): void;
}

/** Something that can be done from anywhere, by its name in the command palette. */
export interface Command {
  /** Id of the extension that brings it. */
  id: string;
  /** A verb and its object: "Log friction". */
  title: string;
  /** Other words by which it is looked for. */
  keywords: readonly string[];
  /** Opens over the page that the reader is on, which stays. */
  Dialog: ComponentType<CommandDialogProps>;
}

/** The commands of all plugins. */
export interface CommandsApi {
  list(): readonly Command[];
}

/** {@link CommandsApi} */
export const commandsApiRef = createApiRef<CommandsApi>().with({
  id: 'app.commands',
  pluginId: 'app',
});

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
