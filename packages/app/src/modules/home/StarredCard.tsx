import { Entity } from '@backstage/catalog-model';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  useStarredEntities,
} from '@backstage/plugin-catalog-react';
import { appTranslationRef } from '../../translation';
import { EntityCard } from './EntityCard';
import { useLoaded } from './useLoaded';

/** What the caller starred in the catalog and what is still there. */
export function StarredCard() {
  const { t } = useTranslationRef(appTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const { starredEntities } = useStarredEntities();
  const entityRefs = [...starredEntities].sort();
  const entities = useLoaded(async () => {
    if (entityRefs.length === 0) {
      return [];
    }
    const { items } = await catalogApi.getEntitiesByRefs({ entityRefs });
    return items.filter((item): item is Entity => item !== undefined);
  }, [catalogApi, entityRefs.join()]);

  return (
    <EntityCard
      name="starred"
      entities={entities}
      nextStep={{ label: t('home.starred.browse'), href: '/catalog' }}
    />
  );
}
