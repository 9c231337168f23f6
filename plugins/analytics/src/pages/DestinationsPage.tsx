import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { QueryTable } from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  ListAndPanel,
  RelativeTime,
  useUrlFilters,
} from '@slipway/design-system';
import type { Destination } from '../api/DestinationsApi';
import { CreateDestinationDialog } from '../destinations/CreateDestinationDialog';
import { DestinationPanel } from '../destinations/DestinationPanel';
import { useDestinations } from '../destinations/destinationQueries';
import { DestinationState } from '../destinations/DestinationState';
import { EditDestinationDialog } from '../destinations/EditDestinationDialog';
import { formatCount } from '../insights/valueNames';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef, type Translate } from '../translation';
import { HeaderAction } from './HeaderAction';
import styles from '../analytics.module.css';

/** Lists the destinations of a project's events; the URL identifies the open one. */
export function DestinationsPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { list, project } = useProject();
  const selection = useUrlFilters({ destination: '' }, { addsHistory: true });
  const query = useDestinations(project?.id);
  const [isCreating, setIsCreating] = useState(false);
  const [edited, setEdited] = useState<Destination>();
  const mayManage = list.data?.mayManage ?? false;
  const mayCreate = mayManage && (query.data?.can_create ?? false);
  const destinations = query.data?.destinations ?? [];
  const opened = destinations.find(
    ({ id }) => id === selection.values.destination,
  );
  const create = mayCreate && (
    <Button size="small" variant="primary" onPress={() => setIsCreating(true)}>
      {t('destinations.create')}
    </Button>
  );
  return (
    <div className={styles.stack}>
      {destinations.length > 0 && <HeaderAction>{create}</HeaderAction>}
      {mayManage && query.data && !query.data.can_create && (
        <p className={styles.text}>{t('destinations.noKey')}</p>
      )}
      <ListAndPanel
        panel={
          project &&
          opened && (
            <DestinationPanel
              key={opened.id}
              projectId={project.id}
              destination={opened}
              mayManage={mayManage}
              onEdit={() => setEdited(opened)}
              onClose={() => selection.set('destination', '')}
            />
          )
        }
      >
        <QueryTable
          label={t('destinations.title')}
          query={query}
          rowsOf={data => data.destinations}
          rowId={({ id }) => id}
          selectedId={opened?.id}
          onOpen={id => selection.set('destination', id)}
          failed={t('destinations.failed')}
          loading={t('destinations.loading')}
          columns={columnsOf(t)}
          empty={
            <EmptyState
              title={t('destinations.emptyTitle')}
              description={t('destinations.emptyDescription')}
              action={create}
            />
          }
        />
      </ListAndPanel>
      {isCreating && project && (
        <CreateDestinationDialog
          projectId={project.id}
          onCreated={id => selection.set('destination', id)}
          onClose={() => setIsCreating(false)}
        />
      )}
      {edited && project && (
        <EditDestinationDialog
          projectId={project.id}
          destination={edited}
          onSaved={id => {
            selection.set('destination', id);
            setEdited(undefined);
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}

function columnsOf(t: Translate): DataColumn<Destination>[] {
  return [
    {
      id: 'name',
      label: t('destinations.name'),
      text: ({ id }) => id,
      cell: ({ id }) => id,
    },
    {
      id: 'address',
      label: t('destinations.address'),
      from: 'md',
      text: ({ address }) => address,
      cell: ({ address }) => address,
    },
    {
      id: 'kind',
      label: t('destinations.kind'),
      width: 112,
      from: 'sm',
      beside: false,
      cell: ({ kind }) => t(`destinations.kinds.${kind}`),
    },
    {
      id: 'state',
      label: t('destinations.state'),
      width: 168,
      cell: destination => <DestinationState destination={destination} />,
    },
    {
      id: 'delivered',
      label: t('destinations.delivered'),
      isNumber: true,
      width: 112,
      from: 'sm',
      beside: false,
      cell: ({ delivered }) => formatCount(delivered),
    },
    {
      id: 'success',
      label: t('destinations.lastSuccess'),
      width: 132,
      from: 'lg',
      beside: false,
      cell: ({ last_success_at: at }) =>
        at ? <RelativeTime value={at} /> : '–',
    },
  ];
}
