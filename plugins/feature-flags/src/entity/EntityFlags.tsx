import {
  useApiHolder,
  useRouteRef,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  entityRouteRef,
  useEntity,
} from '@backstage/plugin-catalog-react';
import { Flex } from '@backstage/ui';
import { Loaded, namesIn, useListOfComponents } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import type { ListedFlag } from '../api/flags';
import { ListPage } from '../pages/ListPage';
import { FLAGS_ANNOTATION, namesFlag } from '../queries/deployments';
import { flagsTranslationRef } from '../translation';

/** The flags of a component, or of all components of a system or group, as a tab of its page. */
export function EntityFlags() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { entity } = useEntity();
  const { components, list } = useListOfComponents<ListedFlag>(entity, {
    catalog: useApiHolder().get(catalogApiRef),
    belongs: (flag, component) =>
      namesIn(component, FLAGS_ANNOTATION).some(name =>
        namesFlag(name, flag.name),
      ),
    pathOf: useRouteRef(entityRouteRef),
  });
  return (
    <Loaded
      query={components}
      failed={t('list.failed')}
      loading={<LoadingRows label={t('list.loading')} />}
    >
      {known =>
        known.some(each => namesIn(each, FLAGS_ANNOTATION).length > 0) ? (
          <Flex direction="column" gap="4">
            <ListPage within={list} />
          </Flex>
        ) : (
          <EmptyState
            title={t('list.emptyTitle')}
            description={t('list.noneOfComponents')}
          />
        )
      }
    </Loaded>
  );
}
