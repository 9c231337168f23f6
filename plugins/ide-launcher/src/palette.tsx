import { catalogApiRef } from '@backstage/plugin-catalog-react';
import {
  RiAddLine,
  RiExternalLinkLine,
  RiPlayLine,
  RiStopCircleLine,
  RiTerminalBoxLine,
} from '@remixicon/react';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import type {
  PaletteItem,
  PaletteSource,
  SourceContext,
} from '@slipway/app-react';
import {
  devfileUrlOf,
  workspaceCreatePermission,
  type WorkspaceListItem,
} from '@slipway/plugin-ide-launcher-common';
import { ideLauncherApiRef } from './api/IdeLauncherApi';
import { openRouteRef, workspaceRouteRef } from './routes';
import { ideLauncherTranslationRef, type Translate } from './translation';

/** Provides the user's workspaces, and actions to create, open, start and stop them. */
export function workspacesPalette(context: SourceContext): PaletteSource {
  const { api, href, texts } = context;

  const mayCreate = async () => {
    const { result } = await api(permissionApiRef).authorize({
      permission: workspaceCreatePermission,
    });
    return result === 'ALLOW';
  };

  return {
    isGone: () => true,

    async list(call) {
      const [{ workspaces }, isAllowed, t] = await Promise.all([
        api(ideLauncherApiRef).listWorkspaces(call),
        mayCreate(),
        texts(ideLauncherTranslationRef),
      ]);
      return [
        ...(isAllowed
          ? [
              {
                id: 'create',
                title: t('create.title'),
                kind: t('palette.action'),
                keywords: [t('palette.createKeywords')],
                icon: <RiAddLine />,
                act: { type: 'dialog' as const, dialog: 'create' },
              },
            ]
          : []),
        ...workspaces.flatMap(workspace => itemsOf(workspace, t)),
      ];
    },

    async actionsFor({ kind, commit, entityRef }) {
      const isFor = commit !== undefined || kind === 'feedback';
      if (!isFor || entityRef === undefined) {
        return [];
      }
      const [entity, isAllowed, t] = await Promise.all([
        api(catalogApiRef).getEntityByRef(entityRef),
        mayCreate(),
        texts(ideLauncherTranslationRef),
      ]);
      const devfileUrl = entity && devfileUrlOf(entity.metadata.annotations);
      return devfileUrl && isAllowed
        ? [
            {
              id: `workspace:${commit ?? entityRef}`,
              title: commit
                ? t('palette.atCommit', { commit: commit.slice(0, 10) })
                : t('create.title'),
              kind: t('palette.action'),
              icon: <RiTerminalBoxLine />,
              act: {
                type: 'dialog',
                dialog: 'create',
                input: new URLSearchParams({
                  devfileUrl,
                  revision: commit ?? '',
                }).toString(),
              },
            },
          ]
        : [];
    },
  };

  function itemsOf(workspace: WorkspaceListItem, t: Translate): PaletteItem[] {
    const { workspaceId, name, status } = workspace;
    const page = href(workspaceRouteRef, { workspaceId });
    const ide = href(openRouteRef, { workspaceId });
    const client = api(ideLauncherApiRef);
    const common = { kind: t('palette.action'), keywords: [name] };
    const isUp = status === 'Running' || status === 'Starting';
    return [
      ...(page
        ? [
            {
              id: `workspace:${workspaceId}`,
              title: name,
              kind: t('palette.workspace'),
              detail: `${workspace.devfile.name} · ${t(`status.${status}`)}`,
              act: { type: 'open' as const, href: page },
            },
          ]
        : []),
      ...(ide
        ? [
            {
              ...common,
              id: `open:${workspaceId}`,
              title: t('palette.open', { name }),
              icon: <RiExternalLinkLine />,
              act: { type: 'open' as const, href: ide },
            },
          ]
        : []),
      {
        ...common,
        id: `switch:${workspaceId}`,
        title: t(isUp ? 'palette.stop' : 'palette.start', { name }),
        icon: isUp ? <RiStopCircleLine /> : <RiPlayLine />,
        act: {
          type: 'run',
          async run() {
            await (isUp
              ? client.stopWorkspace(workspaceId)
              : client.startWorkspace(workspaceId));
            return {
              title: t(isUp ? 'palette.stopping' : 'palette.starting', {
                name,
              }),
              ...(page && { link: { label: t('palette.view'), href: page } }),
              undo: () =>
                isUp
                  ? client.startWorkspace(workspaceId)
                  : client.stopWorkspace(workspaceId),
            };
          },
        },
      },
    ];
  }
}
