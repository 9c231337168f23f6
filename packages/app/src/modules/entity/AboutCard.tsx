import type { ReactNode } from 'react';
import {
  ANNOTATION_EDIT_URL,
  ANNOTATION_LOCATION,
  type Entity,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { MarkdownContent } from '@backstage/core-components';
import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { catalogEntityRefreshPermission } from '@backstage/plugin-catalog-common/alpha';
import {
  catalogApiRef,
  useEntity,
  useEntityPresentation,
} from '@backstage/plugin-catalog-react';
import {
  type EntityIconLinkBlueprint,
  useEntityPermission,
} from '@backstage/plugin-catalog-react/alpha';
import { Button, ButtonLink, Link } from '@backstage/ui';
import { RiPencilLine, RiRefreshLine } from '@remixicon/react';
import { safeAddress, useErrorWords } from '@slipway/app-react';
import { IconButton, Panel, Prose } from '@slipway/design-system';
import { EntityLinks } from '../../entities/EntityLinks';
import { type AboutFact, aboutFacts } from './aboutFacts';
import { CreateSimilar } from './CreateSimilar';
import { entityTranslationRef } from './translation';
import styles from './AboutCard.module.css';

/** A link that a plugin adds to the card. */
export interface AboutLink {
  id: string;
  isFor(entity: Entity): boolean;
  useProps: typeof EntityIconLinkBlueprint.dataRefs.useProps.T;
}

/** Describes an entity: its text, links of plugins, and what its descriptor states. */
export function AboutCard({ links = [] }: { links?: readonly AboutLink[] }) {
  const { t } = useTranslationRef(entityTranslationRef);
  const { entity } = useEntity();
  const { description } = entity.metadata;
  const shown = links.filter(({ isFor }) => isFor(entity));
  return (
    <Panel title={t('about.title')} action={<Actions entity={entity} />}>
      <div className={styles.body}>
        {description && (
          <Prose>
            <MarkdownContent content={description} />
          </Prose>
        )}
        {shown.length > 0 && (
          <div className={styles.links}>
            {shown.map(link => (
              <PluginLink key={link.id} link={link} />
            ))}
          </div>
        )}
        <dl className={styles.facts}>
          {aboutFacts(entity).map(fact => (
            <div key={fact.id} className={styles.fact}>
              <dt>{t(`about.facts.${fact.id}`)}</dt>
              <dd>
                <FactValue fact={fact} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  );
}

function FactValue({ fact }: { fact: AboutFact }): ReactNode {
  const { t } = useTranslationRef(entityTranslationRef);
  switch (fact.id) {
    case 'email':
      return <Link href={`mailto:${fact.email}`}>{fact.email}</Link>;
    case 'type':
    case 'lifecycle':
    case 'reference':
      return fact.text;
    case 'tags':
      return fact.tags.join(', ');
    case 'targets':
      return (
        <ul className={styles.targets}>
          {fact.targets.map(({ text, href }) => (
            <li key={text}>
              {href === undefined ? text : <Link href={href}>{text}</Link>}
            </li>
          ))}
        </ul>
      );
    default:
      return fact.refs.length > 0 ? (
        <EntityLinks refs={fact.refs} isColumn />
      ) : (
        <span className={styles.none}>{t('about.none')}</span>
      );
  }
}

/** Shows a link of a plugin; none while the plugin has nothing to link to. */
function PluginLink({ link: { useProps } }: { link: AboutLink }) {
  const { label, icon, disabled, title, onClick, ...props } = useProps();
  const href = safeAddress(props.href);
  if (disabled || (!href && !onClick)) {
    return null;
  }
  const look = {
    size: 'small',
    variant: 'secondary',
    'aria-label': title && title !== label ? `${label}: ${title}` : undefined,
    iconStart: <>{icon}</>,
  } as const;
  return href ? (
    <ButtonLink
      {...look}
      href={href}
      target={/^https?:/.test(href) ? '_blank' : undefined}
      onPress={() => onClick?.(undefined as never)}
    >
      {label}
    </ButtonLink>
  ) : (
    <Button {...look} onPress={() => onClick?.(undefined as never)}>
      {label}
    </Button>
  );
}

function Actions({ entity }: { entity: Entity }) {
  const { t } = useTranslationRef(entityTranslationRef);
  const refresh = useRefresh(entity);
  const editUrl = safeAddress(
    entity.metadata.annotations?.[ANNOTATION_EDIT_URL],
  );
  return (
    <span className={styles.actions}>
      <CreateSimilar entity={entity} />
      {refresh && (
        <IconButton
          label={t('about.refresh')}
          icon={<RiRefreshLine size={16} />}
          onPress={refresh}
        />
      )}
      {editUrl && (
        <ButtonLink
          size="small"
          variant="tertiary"
          href={editUrl}
          target="_blank"
          aria-label={t('about.edit')}
        >
          <RiPencilLine size={16} />
        </ButtonLink>
      )}
    </span>
  );
}

/**
 * Returns a function that makes the catalog read the entity's descriptor again; undefined if there
 * is no descriptor or the user lacks the permission.
 */
function useRefresh(entity: Entity): (() => Promise<void>) | undefined {
  const { t } = useTranslationRef(entityTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const { primaryTitle: name } = useEntityPresentation(entity);
  const { allowed } = useEntityPermission(catalogEntityRefreshPermission);
  const location = entity.metadata.annotations?.[ANNOTATION_LOCATION];
  if (!allowed || !/^(?:url|file):/.test(location ?? '')) {
    return undefined;
  }
  return async () => {
    try {
      await catalogApi.refreshEntity(stringifyEntityRef(entity));
      toastApi.post({
        title: t('about.refreshed', { name }),
        status: 'success',
        timeout: 5_000,
      });
    } catch (error) {
      toastApi.post({
        title: t('about.refreshFailed', { name }),
        description: errorWords(error),
        status: 'danger',
      });
    }
  };
}
