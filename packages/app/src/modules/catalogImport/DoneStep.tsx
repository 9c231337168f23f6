import { stringifyEntityRef } from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  useEntityRefLink,
} from '@backstage/plugin-catalog-react';
import { ButtonLink } from '@backstage/ui';
import { useServiceQuery } from '@slipway/app-react';
import { Button } from '@slipway/design-system';
import type { FoundLocation } from './importFlow';
import { LocationList } from './LocationList';
import { importPageTranslationRef } from './translation';
import styles from './ImportPage.module.css';

/** Interval at which the catalog is asked for entities that it has yet to read. */
const LOOK_MS = 1_500;

/** Shows the registered descriptors and entities, with links to those that the catalog has read. */
export function DoneStep(props: {
  added: readonly FoundLocation[];
  refreshed: readonly FoundLocation[];
  onAgain(): void;
}) {
  const { t } = useTranslationRef(importPageTranslationRef);
  const { added, refreshed, onAgain } = props;
  const linkTo = useEntityRefLink();
  const [first] = [...added, ...refreshed].flatMap(({ entities }) => entities);
  const missing = useMissing(
    added.flatMap(({ entities }) =>
      entities.map(entity => stringifyEntityRef(entity)),
    ),
  );
  return (
    <>
      <div role="status" className={styles.step}>
        {added.length > 0 && (
          <LocationList
            title={t('doneNew')}
            locations={added}
            missing={missing}
          />
        )}
        {missing.size > 0 && <p>{t('arriving')}</p>}
        {refreshed.length > 0 && (
          <LocationList title={t('doneRefreshed')} locations={refreshed} />
        )}
      </div>
      <div className={styles.buttons}>
        {first && (
          <ButtonLink
            variant="primary"
            href={linkTo(stringifyEntityRef(first))}
            isDisabled={missing.has(stringifyEntityRef(first))}
          >
            {t('view', { name: first.name })}
          </ButtonLink>
        )}
        <Button variant="secondary" onPress={onAgain}>
          {t('another')}
        </Button>
      </div>
    </>
  );
}

/**
 * Returns the references that are not in the catalog yet, which reads descriptors some time after their
 * registration. While the page is visible, asks again until none is missing.
 */
function useMissing(entityRefs: readonly string[]): ReadonlySet<string> {
  const { data: missing = entityRefs } = useServiceQuery(
    catalogApiRef,
    ['missing', entityRefs],
    async catalog => {
      const { items } = await catalog.getEntitiesByRefs({
        entityRefs: [...entityRefs],
        fields: ['kind', 'metadata.name', 'metadata.namespace'],
      });
      return entityRefs.filter((_, index) => !items[index]);
    },
    {
      enabled: entityRefs.length > 0,
      // A cached result would miss that entities were deleted before they were registered again.
      gcTime: 0,
      refetchInterval: ({ state: { data } }) =>
        data?.length === 0 ? false : LOOK_MS,
    },
  );
  return new Set(missing);
}
