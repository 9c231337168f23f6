import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import type { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { ReadFailure } from '../../components/ReadFailure';
import { DeploymentTable } from '../../components/records/DeploymentTable';
import styles from '../../components/records/records.module.css';
import type { useDeployments } from '../../data/useRecords';
import { deliveryLakeTranslationRef } from '../../translation';

/** A list of deployments in whatever state it is. */
export function DeploymentList(props: {
  list: ReturnType<typeof useDeployments>;
  hrefOf(deployment: DeploymentDetails): string;
  /** The one whose details stand beside the list. */
  openId?: string;
  /** Given while filters narrow the list. */
  onClearFilters?: () => void;
}) {
  const { list, hrefOf, openId, onClearFilters } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const deployments = list.data?.pages.flatMap(page => page.deployments);
  return (
    <>
      {list.error && (
        <ReadFailure
          title={t('deployments.failed')}
          error={list.error}
          onRetry={() => list.refetch()}
        />
      )}
      {list.isPending && (
        <LoadingRows label={t('deployments.loading')} rows={8} />
      )}
      {deployments?.length === 0 && (
        <EmptyState
          title={t('deployments.emptyTitle')}
          description={t('deployments.emptyDescription')}
          action={
            onClearFilters && (
              <Button variant="secondary" onPress={onClearFilters}>
                {t('filter.clear')}
              </Button>
            )
          }
        />
      )}
      {deployments && deployments.length > 0 && (
        <DeploymentTable
          deployments={deployments}
          hrefOf={hrefOf}
          openId={openId}
        />
      )}
      {list.hasNextPage && (
        <Button
          className={styles.more}
          variant="secondary"
          isPending={list.isFetchingNextPage}
          onPress={() => list.fetchNextPage()}
        >
          {t('deployments.more')}
        </Button>
      )}
    </>
  );
}
