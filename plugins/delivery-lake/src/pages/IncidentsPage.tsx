import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ListAndPanel } from '@slipway/design-system';
import { ENVIRONMENTS } from '@slipway/plugin-delivery-lake-common';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { IncidentList } from '../components/IncidentList';
import { LakeFilterBar } from '../components/LakeFilterBar';
import { useIncidents } from '../queries';
import { useLinks } from '../routes';
import { deliveryLakeTranslationRef } from '../translation';
import { IncidentPanel } from './IncidentPanel';
import { useIncidentFilters } from './recordFilters';

/** Lists the matching incidents, with a panel for the open one. */
export function IncidentsPage() {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { '*': incidentId } = useParams();
  const navigate = useNavigate();
  const links = useLinks();
  // The filters, order and columns, which are kept when a row is opened or closed.
  const { search } = useLocation();
  const { view, filters, query } = useIncidentFilters();
  const list = useIncidents(query);
  const shown = list.data?.pages.reduce(
    (sum, page) => sum + page.incidents.length,
    0,
  );
  return (
    <>
      <LakeFilterBar
        list="incidents"
        view={view}
        filters={filters}
        search={{ key: 'q', label: t('incidents.search') }}
        selects={[
          {
            key: 'environment',
            label: t('filter.environment'),
            anyLabel: t('filter.anyEnvironment'),
            options: ENVIRONMENTS.map(value => ({ value, label: value })),
          },
          {
            key: 'open',
            label: t('filter.state'),
            anyLabel: t('filter.anyState'),
            options: [
              { value: 'true', label: t('filter.open') },
              { value: 'false', label: t('filter.resolved') },
            ],
          },
        ]}
        count={
          list.data && {
            shown: shown ?? 0,
            total: list.data.pages[0].total,
            noun: [t('incidents.nounOne'), t('incidents.nounMany')],
          }
        }
      />
      <ListAndPanel
        panel={
          incidentId && (
            <IncidentPanel
              incidentId={incidentId}
              onClose={() => navigate(links.incidents() + search)}
            />
          )
        }
      >
        <IncidentList
          list={list}
          hrefOf={incident => links.incident(incident.id) + search}
          openId={incidentId}
          onClearFilters={filters.isActive ? filters.clear : undefined}
        />
      </ListAndPanel>
    </>
  );
}
