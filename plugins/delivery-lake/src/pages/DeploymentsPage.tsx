import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ListAndPanel } from '@slipway/design-system';
import {
  DEPLOYMENT_STATUSES,
  ENVIRONMENTS,
} from '@slipway/plugin-delivery-lake-common';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { DeploymentList } from '../components/DeploymentList';
import { LakeFilterBar } from '../components/LakeFilterBar';
import { useDeployments } from '../queries';
import { useLinks } from '../routes';
import { deliveryLakeTranslationRef } from '../translation';
import { DeploymentPanel } from './DeploymentPanel';
import { UnlessEmpty } from './EmptyLake';
import { useDeploymentFilters } from './recordFilters';

/** Lists the matching deployments, with a panel for the open one. */
export function DeploymentsPage() {
  return (
    <UnlessEmpty>
      <Deployments />
    </UnlessEmpty>
  );
}

function Deployments() {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { '*': deploymentId } = useParams();
  const navigate = useNavigate();
  const links = useLinks();
  // The filters, order and columns, which are kept when a row is opened or closed.
  const { search } = useLocation();
  const { view, filters, query } = useDeploymentFilters();
  const list = useDeployments(query);
  const shown = list.data?.pages.reduce(
    (sum, page) => sum + page.deployments.length,
    0,
  );
  return (
    <>
      <LakeFilterBar
        list="deployments"
        view={view}
        filters={filters}
        search={{ key: 'q', label: t('deployments.search') }}
        selects={[
          {
            key: 'environment',
            label: t('filter.environment'),
            anyLabel: t('filter.anyEnvironment'),
            options: ENVIRONMENTS.map(value => ({ value, label: value })),
          },
          {
            key: 'status',
            label: t('filter.status'),
            anyLabel: t('filter.anyStatus'),
            options: DEPLOYMENT_STATUSES.map(value => ({
              value,
              label: t(`status.${value}`),
            })),
          },
          {
            key: 'failed',
            label: t('filter.outcome'),
            anyLabel: t('filter.anyOutcome'),
            options: [
              { value: 'true', label: t('filter.failed') },
              { value: 'false', label: t('filter.held') },
            ],
          },
        ]}
        count={
          list.data && {
            shown: shown ?? 0,
            total: list.data.pages[0].total,
            noun: [t('deployments.nounOne'), t('deployments.nounMany')],
          }
        }
      />
      <ListAndPanel
        panel={
          deploymentId && (
            <DeploymentPanel
              deploymentId={deploymentId}
              onClose={() => navigate(links.deployments() + search)}
            />
          )
        }
      >
        <DeploymentList
          list={list}
          hrefOf={deployment => links.deployment(deployment.id) + search}
          openId={deploymentId}
          onClearFilters={filters.isActive ? filters.clear : undefined}
        />
      </ListAndPanel>
    </>
  );
}
