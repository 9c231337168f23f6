import { createContext, Fragment, useContext } from 'react';
import {
  type Entity,
  RELATION_OWNED_BY,
  RELATION_PART_OF,
} from '@backstage/catalog-model';
import {
  type AppNode,
  ExtensionBoundary,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { catalogTranslationRef } from '@backstage/plugin-catalog/alpha';
import {
  catalogApiRef,
  catalogReactTranslationRef,
  useEntity,
  useEntityPresentation,
  useEntityRefLink,
  useStarredEntity,
} from '@backstage/plugin-catalog-react';
import type {
  EntityContextMenuItemData,
  EntityHeaderLayoutProps,
} from '@backstage/plugin-catalog-react/alpha';
import {
  ButtonIcon,
  Header,
  HeaderMetadataUsers,
  Link,
  Menu,
  MenuItem,
  MenuTrigger,
} from '@backstage/ui';
import { RiMore2Line, RiStarFill, RiStarLine } from '@remixicon/react';
import { useTitles } from '@slipway/app-react';
import { relatedRefs } from '../../entities/relatedRefs';
import { useLoaded } from '../../entities/useLoaded';
import { nameOf } from '../catalog/entityFacts';

/** An item that a plugin adds to the context menu of entities. */
interface EntityMenuItem {
  node: AppNode;
  isFor(entity: Entity): boolean;
  data: EntityContextMenuItemData;
}

/** The items of the context menu of entities, in display order. */
export const EntityMenuItems = createContext<readonly EntityMenuItem[]>([]);

/**
 * The header of an entity's page. Unlike Backstage's, it shows the titles of the entities that this
 * one is part of, not their names.
 */
export function EntityHeader(props: EntityHeaderLayoutProps) {
  const { tabs, activeTabId } = props;
  const { entity } = useEntity();
  const { primaryTitle } = useEntityPresentation(entity);
  const type = entity.spec?.type?.toString();
  return (
    <Header
      title={primaryTitle}
      tags={[{ label: entity.kind }, ...(type ? [{ label: type }] : [])]}
      metadata={useMetadata(entity)}
      tabs={tabs}
      activeTabId={activeTabId}
      customActions={
        <>
          <StarButton entity={entity} />
          <EntityMenu entity={entity} />
        </>
      }
    />
  );
}

/** Returns the lifecycle of an entity, its owners, and what it is part of. */
function useMetadata(entity: Entity) {
  const { t } = useTranslationRef(catalogTranslationRef);
  const owners = useOwners(relatedRefs(entity, RELATION_OWNED_BY));
  const parents = relatedRefs(entity, RELATION_PART_OF);
  const isOf = (ref: string, kind: string) => ref.startsWith(`${kind}:`);
  const groups = [
    {
      label: t('entityLabels.systemLabel'),
      refs: parents.filter(ref => isOf(ref, 'system')),
    },
    {
      label: t('entityLabels.domainLabel'),
      refs: parents.filter(ref => isOf(ref, 'domain')),
    },
    {
      label: t('entityLabels.partOfLabel'),
      refs: parents.filter(ref => !isOf(ref, 'system') && !isOf(ref, 'domain')),
    },
  ];
  const lifecycle = entity.spec?.lifecycle?.toString();
  return [
    ...(lifecycle
      ? [{ label: t('entityLabels.lifecycleLabel'), value: lifecycle }]
      : []),
    ...(owners.length > 0
      ? [
          {
            label: t('entityLabels.ownerLabel'),
            value: <HeaderMetadataUsers users={owners} />,
          },
        ]
      : []),
    ...groups
      .filter(({ refs }) => refs.length > 0)
      .map(({ label, refs }) => ({
        label,
        value: <Titles refs={refs} />,
      })),
  ];
}

/** Links to entities by their titles; the reference is shown on hover. */
function Titles({ refs }: { refs: readonly string[] }) {
  const linkTo = useEntityRefLink();
  const titleOf = useTitles(refs);
  return refs.map((ref, index) => (
    <Fragment key={ref}>
      {index > 0 && ', '}
      <Link href={linkTo(ref)} title={ref} standalone>
        {withoutNamespace(titleOf(ref), ref)}
      </Link>
    </Fragment>
  ));
}

/**
 * Drops the namespace from `namespace/name`, which replaces a title until it has loaded: in a narrow
 * window, it would wrap, and the page would shift once the title arrives.
 */
function withoutNamespace(title: string, ref: string): string {
  const name = nameOf(ref);
  return title.endsWith(`/${name}`) ? name : title;
}

/** Returns the title, picture and link of each owner; until they have loaded, only its name and link. */
function useOwners(entityRefs: string[]) {
  const catalogApi = useApi(catalogApiRef);
  const linkTo = useEntityRefLink();
  const loaded = useLoaded(async () => {
    const { items } =
      entityRefs.length > 0
        ? await catalogApi.getEntitiesByRefs({
            entityRefs,
            fields: [
              'kind',
              'metadata.name',
              'metadata.namespace',
              'metadata.title',
              'spec.profile',
            ],
          })
        : { items: [] };
    return new Map(entityRefs.map((ref, index) => [ref, items[index]]));
  }, [catalogApi, entityRefs.join()]);
  return entityRefs.map(ref => {
    const owner = loaded.state === 'ready' ? loaded.value.get(ref) : undefined;
    const profile = owner?.spec?.profile as
      { displayName?: string; picture?: string } | undefined;
    return {
      name: owner?.metadata.title ?? profile?.displayName ?? nameOf(ref),
      src: profile?.picture,
      href: linkTo(ref),
    };
  });
}

function StarButton({ entity }: { entity: Entity }) {
  const { t } = useTranslationRef(catalogReactTranslationRef);
  const { isStarredEntity, toggleStarredEntity } = useStarredEntity(entity);
  return (
    <ButtonIcon
      variant="secondary"
      aria-label={t(
        isStarredEntity
          ? 'favoriteEntity.removeFromFavorites'
          : 'favoriteEntity.addToFavorites',
      )}
      icon={isStarredEntity ? <RiStarFill /> : <RiStarLine />}
      onPress={() => toggleStarredEntity()}
    />
  );
}

function EntityMenu({ entity }: { entity: Entity }) {
  const { t } = useTranslationRef(catalogTranslationRef);
  const items = useContext(EntityMenuItems);
  return (
    <MenuTrigger>
      <ButtonIcon
        variant="secondary"
        icon={<RiMore2Line />}
        aria-label={t('entityContextMenu.moreButtonAriaLabel')}
      />
      <Menu placement="bottom end">
        {items
          .filter(({ isFor }) => isFor(entity))
          .map(({ node, data }) => (
            <ExtensionBoundary
              key={node.spec.id}
              node={node}
              errorPresentation="error-api"
            >
              <ItemOfMenu data={data} />
            </ExtensionBoundary>
          ))}
      </Menu>
    </MenuTrigger>
  );
}

function ItemOfMenu({
  data: { icon, useProps },
}: {
  data: EntityContextMenuItemData;
}) {
  const { title, disabled, onClick, ...rest } = useProps();
  // The item reports its failures itself.
  const run = async () => onClick?.();
  return (
    <MenuItem
      iconStart={icon}
      isDisabled={disabled}
      {...('href' in rest && { href: rest.href })}
      {...(onClick && { onAction: () => void run().catch(() => {}) })}
    >
      {title}
    </MenuItem>
  );
}
