import type { Entity } from '@backstage/catalog-model';
import { catalogApiRef, entityRouteRef } from '@backstage/plugin-catalog-react';
import {
  RiBox3Line,
  RiDatabase2Line,
  RiPuzzle2Line,
  RiShapesLine,
  RiTeamLine,
  RiUserLine,
} from '@remixicon/react';
import type {
  PaletteItem,
  PaletteSource,
  SourceContext,
} from '@slipway/app-react';
import { appTranslationRef } from '../../../translation';

const ICONS: Record<string, PaletteItem['icon']> = {
  component: <RiBox3Line />,
  api: <RiPuzzle2Line />,
  system: <RiShapesLine />,
  domain: <RiShapesLine />,
  resource: <RiDatabase2Line />,
  user: <RiUserLine />,
  group: <RiTeamLine />,
};

/** Maximum number of listed entities; beyond it the catalog is searched instead. */
const MAX_LISTED = 2_000;
const MAX_FOUND = 20;

const FIELDS = [
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.title',
  'metadata.description',
  'metadata.tags',
  'spec.type',
  'spec.profile.displayName',
  'spec.profile.email',
];

/**
 * Lists components, APIs, systems and the like, but not locations, which are of no
 * interest to users.
 */
export function catalogSource(context: SourceContext): PaletteSource {
  return entitiesOf(context, [
    'component',
    'api',
    'system',
    'domain',
    'resource',
    'template',
  ]);
}

/** Lists people and groups. */
export function peopleSource(context: SourceContext): PaletteSource {
  return entitiesOf(context, ['user', 'group']);
}

function entitiesOf(context: SourceContext, kinds: string[]): PaletteSource {
  const { api, href, texts } = context;
  let isAll = true;
  const read = async (
    limit: number,
    fullTextFilter?: { term: string; fields: string[] },
  ) => {
    const t = await texts(appTranslationRef);
    const { items, totalItems } = await api(catalogApiRef).queryEntities({
      filter: { kind: kinds },
      fields: FIELDS,
      limit,
      fullTextFilter,
    });
    return {
      items: items.flatMap(entity => itemOf(entity)),
      total: totalItems,
    };

    function itemOf(entity: Entity): PaletteItem[] {
      const { kind: rawKind, metadata, spec } = entity;
      const { name, namespace = 'default', title, description } = metadata;
      const kind = rawKind.toLocaleLowerCase('en');
      const profile = (spec?.profile ?? {}) as Record<string, string>;
      const page = href(entityRouteRef, { kind, namespace, name });
      return page === undefined
        ? []
        : [
            {
              id: `${kind}:${namespace}/${name}`,
              title: title ?? profile.displayName ?? name,
              kind: isKnown(kind) ? t(`palette.kind.${kind}`) : rawKind,
              detail: profile.email ?? description?.split('\n', 1)[0],
              keywords: [
                name,
                typeof spec?.type === 'string' ? spec.type : '',
                ...(metadata.tags ?? []),
              ],
              icon: ICONS[kind],
              act: { type: 'open', href: page },
            },
          ];
    }
  };
  return {
    async list() {
      const { items, total } = await read(MAX_LISTED);
      isAll = total <= items.length;
      return items;
    },
    isGone: () => isAll,
    async search(words) {
      if (isAll) {
        return [];
      }
      const fields = [
        'metadata.name',
        'metadata.title',
        'spec.profile.displayName',
      ];
      const { items } = await read(MAX_FOUND, { term: words, fields });
      return items;
    },
  };
}

const KNOWN = [
  'component',
  'api',
  'system',
  'domain',
  'resource',
  'template',
  'user',
  'group',
] as const;

function isKnown(kind: string): kind is (typeof KNOWN)[number] {
  return KNOWN.some(known => known === kind);
}
