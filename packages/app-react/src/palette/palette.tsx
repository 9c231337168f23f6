import type { ComponentType } from 'react';
import {
  createApiRef,
  createExtensionBlueprint,
  createExtensionDataRef,
  ExtensionBoundary,
  type IconElement,
} from '@backstage/frontend-plugin-api';
import type { ItemKind } from '@slipway/entity-contract';
import type { SourceContext } from './SourceContext';

/** The result of an action, shown to the user with an option to undo it. */
export interface ActionResult {
  /** E.g. "stop-payouts is off". */
  title: string;
  /** A link to the page with the result. */
  link?: { label: string; href: string };
  /** Undoes the action; missing if that is impossible. */
  undo?(): Promise<unknown>;
}

/** The effect of choosing an item. */
export type PaletteAct =
  /** Opens a page of the portal. */
  | { type: 'open'; href: string }
  /** Opens a dialog of the source on top of the current page. */
  | { type: 'dialog'; dialog: string; input?: string }
  /** Changes something; returns nothing if there is nothing to report. */
  | {
      type: 'run';
      run(): Promise<ActionResult | undefined>;
      /** Asks for this confirmation first; not needed for actions that can be undone. */
      confirm?: {
        title: string;
        text: string;
        label: string;
        /** True if something is lost. */
        isDestructive?: boolean;
      };
    };

/** An item of the palette, and what happens when it is chosen. */
export interface PaletteItem {
  /** Unique within its source and stable: recently used items are stored by id. */
  id: string;
  /** The name of an object, or a verb and its object: "Run hello". */
  title: string;
  /** The kind of object, e.g. "Job". */
  kind: string;
  /** An additional line of text. */
  detail?: string;
  /** Additional search terms. */
  keywords?: readonly string[];
  /** The icon; defaults to that of the source. */
  icon?: IconElement;
  act: PaletteAct;
}

/** An object on a page that has actions, such as an item of the timeline. */
export interface ActionSubject {
  kind: ItemKind;
  title: string;
  /** The path of its page, which identifies it: `/builds/hello/3`. */
  page: string;
  /** The component that it belongs to. */
  entityRef?: string;
  commit?: string;
  /** True if it failed, or may have caused another failure. */
  failed?: boolean;
  /** The version that ran before, with the page of the build that deployed it. */
  before?: { title: string; build: string };
}

/** The contribution of one part of the platform to the palette. */
export interface PaletteSource {
  /** Lists all items, up to a few thousand; the browser filters them. */
  list?(call: { signal: AbortSignal }): Promise<readonly PaletteItem[]>;
  /**
   * Checks whether an item that is not in the last list no longer exists, so that the palette
   * stops offering it among recent ones. A source that lists only some of its items omits this
   * method, or returns false if it does not know.
   */
  isGone?(id: string): boolean;
  /** Searches items on the server, if there are too many to list. */
  search?(
    words: string,
    call: { signal: AbortSignal },
  ): Promise<readonly PaletteItem[]>;
  /** Returns the actions for an object on a page. */
  actionsFor?(
    subject: ActionSubject,
    call: { signal: AbortSignal },
  ): Promise<readonly PaletteItem[]>;
}

/** Props of a dialog opened by an item. */
export interface PaletteDialogProps {
  /** The input passed by the item. */
  input?: string;
  /** Called when the user closes the dialog or the work is done. */
  onClose(): void;
}

/** An installed source; its content is loaded when the palette opens. */
export interface InstalledSource {
  /** Id of the extension that provides it. */
  id: string;
  title: string;
  icon: IconElement;
  /** Scopes are sorted by it in ascending order. */
  order: number;
  /** False if the palette offers no scope for it. */
  isScope: boolean;
  load(): Promise<(context: SourceContext) => PaletteSource>;
  dialogs: Readonly<Record<string, ComponentType<PaletteDialogProps>>>;
}

/** The sources of all plugins, in order. */
export interface PaletteApi {
  sources(): readonly InstalledSource[];
}

/** {@link PaletteApi} */
export const paletteApiRef = createApiRef<PaletteApi>().with({
  id: 'app.palette',
  pluginId: 'app',
});

const sourceDataRef = createExtensionDataRef<InstalledSource>().with({
  id: 'slipway.palette-source',
});

/**
 * Adds the pages, objects and actions of a part to the palette (Ctrl K), and its actions to
 * timeline items and details.
 */
export const PaletteSourceBlueprint = createExtensionBlueprint({
  kind: 'palette-source',
  attachTo: { id: 'api:app/palette', input: 'sources' },
  output: [sourceDataRef],
  dataRefs: { source: sourceDataRef },
  *factory(
    params: {
      /** The name of its scope, e.g. "Builds". */
      title: string;
      icon: IconElement;
      order?: number;
      /** False for general actions, which have no separate scope. */
      isScope?: boolean;
      loader: InstalledSource['load'];
      /** Each is loaded when it is opened, inside the wrapper of the plugin. */
      dialogs?: Record<
        string,
        () => Promise<(props: PaletteDialogProps) => JSX.Element>
      >;
    },
    { node },
  ) {
    const { title, icon, order = 100, isScope = true } = params;
    const { loader, dialogs = {} } = params;
    yield sourceDataRef({
      id: node.spec.id,
      title,
      icon,
      order,
      isScope,
      load: loader,
      dialogs: Object.fromEntries(
        Object.entries(dialogs).map(([name, load]) => [
          name,
          ExtensionBoundary.lazyComponent(node, load),
        ]),
      ),
    });
  },
});
