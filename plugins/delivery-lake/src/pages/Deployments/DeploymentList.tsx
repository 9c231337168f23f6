import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { DeploymentTable } from '../../components/records/DeploymentTable';
import { RecordList } from '../../components/records/RecordList';
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
  const deployments = list.data?.pages.flatMap(page => page.deployments) ?? [];
  return (
    <RecordList
      list={list}
      texts={{
        failed: t('deployments.failed'),
        loading: t('deployments.loading'),
        emptyTitle: t('deployments.emptyTitle'),
        emptyDescription: t('deployments.emptyDescription'),
      }}
      isEmpty={deployments.length === 0}
      onClearFilters={onClearFilters}
    >
      <DeploymentTable
        deployments={deployments}
        hrefOf={hrefOf}
        openId={openId}
      />
    </RecordList>
  );
}
