import {
  type AppNode,
  appTreeApiRef,
  coreExtensionData,
} from '@backstage/frontend-plugin-api';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import type {
  PaletteItem,
  PaletteSource,
  SourceContext,
} from '@slipway/app-react';
import { appTranslationRef, type Translate } from '../../../translation';
import { pageIcon } from '../../shell/pageIcons';
import { administrationPermission } from '../../shell/useIsAdmin';

/** Pages and tabs that only admins can use, by extension id. */
const FOR_ADMINS = ['page:admin', 'sub-page:delivery-lake/connections'];

/** Lists the installed pages and their tabs that the user may open. */
export function pagesSource({ api, texts }: SourceContext): PaletteSource {
  return {
    async list() {
      const [t, { result }] = await Promise.all([
        texts(appTranslationRef),
        api(permissionApiRef).authorize({
          permission: administrationPermission,
        }),
      ]);
      const hidden = result === 'ALLOW' ? [] : FOR_ADMINS;
      const { nodes } = api(appTreeApiRef).getTree().tree;
      return [...nodes.values()]
        .filter(
          ({ spec }) =>
            spec.id.startsWith('page:') && !hidden.includes(spec.id),
        )
        .flatMap(node => pagesOf(node, t))
        .filter(({ id }) => !hidden.includes(id));
    },
  };
}

/** What people also call the pages, by extension id. */
const KEYWORDS = {
  'page:api-docs': 'palette.keywords.apis',
  'page:ide-launcher': 'palette.keywords.workspaces',
  'page:builds': 'palette.keywords.builds',
  'page:delivery-lake': 'palette.keywords.delivery',
  'page:feature-flags': 'palette.keywords.flags',
  'page:space': 'palette.keywords.experience',
  'page:analytics': 'palette.keywords.analytics',
  'page:feedback': 'palette.keywords.feedback',
} as const;

function hasKeywords(id: string): id is keyof typeof KEYWORDS {
  return id in KEYWORDS;
}

/** Returns a page with its tabs; excludes pages that require a parameter. */
function pagesOf(node: AppNode, t: Translate): PaletteItem[] {
  const kind = t('palette.page');
  const { id } = node.spec;
  const { title, path, icon } = dataOf(node);
  if (title === undefined || path === undefined || path.includes(':')) {
    return [];
  }
  const tabs = (node.edges.attachments.get('pages') ?? []).flatMap(tab => {
    const own = dataOf(tab);
    return own.title && own.path && !own.path.includes(':')
      ? [
          {
            id: tab.spec.id,
            title: own.title,
            kind,
            detail: title,
            icon,
            act: {
              type: 'open' as const,
              href: `${path}/${own.path}`.replace(/\/+/g, '/'),
            },
          },
        ]
      : [];
  });
  return [
    {
      id,
      title,
      kind,
      icon,
      ...(hasKeywords(id) && { keywords: [t(KEYWORDS[id])] }),
      act: { type: 'open', href: path },
    },
    ...tabs,
  ];
}

function dataOf(node: AppNode) {
  const { instance, spec } = node;
  return {
    title:
      instance?.getData(coreExtensionData.title) ??
      // The home page has its own title, which is not in its configuration.
      (spec.id === 'page:home' ? spec.plugin?.title : undefined),
    path: instance?.getData(coreExtensionData.routePath),
    icon: pageIcon({
      node,
      icon: instance?.getData(coreExtensionData.icon),
    }),
  };
}
