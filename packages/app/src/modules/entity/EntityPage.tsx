import { lazy, type ReactNode, Suspense } from 'react';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { useApi } from '@backstage/frontend-plugin-api';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { useParams } from 'react-router-dom';
import { PageEntity } from '../../entities/PageEntity';
import { useLoaded } from '../../entities/useLoaded';

const EntityFailure = lazy(() =>
  import('./EntityFailure').then(m => ({ default: m.EntityFailure })),
);

/**
 * Shows Backstage's page of the entity in the address, or says in its place that the entity is not
 * in the catalog or failed to load. The page loads the entity itself, and shares the request if the
 * client of the catalog does.
 */
export function EntityPage({ children }: { children: ReactNode }) {
  const { kind = '', namespace = '', name = '' } = useParams();
  const entityRef = { kind, namespace, name };
  const catalogApi = useApi(catalogApiRef);
  const entity = useLoaded(
    () => catalogApi.getEntityByRef(entityRef),
    [catalogApi, stringifyEntityRef(entityRef)],
  );
  if (
    entity.state === 'failed' ||
    (entity.state === 'ready' && !entity.value)
  ) {
    return (
      <Suspense fallback={null}>
        <EntityFailure
          entityRef={entityRef}
          failure={entity.state === 'failed' ? entity : undefined}
        />
      </Suspense>
    );
  }
  return (
    <PageEntity.Provider
      value={entity.state === 'ready' ? entity.value : undefined}
    >
      {children}
    </PageEntity.Provider>
  );
}
