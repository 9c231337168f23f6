import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded } from '@slipway/app-react';
import {
  EmptyState,
  FilterBar,
  LoadingRows,
  Panel,
  useUrlFilters,
} from '@slipway/design-system';
import { ChangeRequestList } from '../components/ChangeRequestList';
import { ScheduleList } from '../components/ScheduleList';
import { useChangeRequests, useSchedules } from '../queries/changes';
import { flagsTranslationRef } from '../translation';
import styles from './AccessPage.module.css';

/** Pending changes: those waiting for approval, and scheduled ones. */
export function ChangesPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const filters = useUrlFilters({ ended: '' });
  const state = filters.values.ended ? 'closed' : 'open';
  return (
    <div className={styles.stack}>
      <FilterBar
        filters={filters}
        selects={[
          {
            key: 'ended',
            label: t('changes.state'),
            anyLabel: t('changes.open'),
            options: [{ value: 'yes', label: t('changes.ended') }],
          },
        ]}
      />
      <Panel title={t('request.title')}>
        <Loaded
          query={useChangeRequests({ state })}
          failed={t('request.loadFailed')}
          loading={<LoadingRows label={t('request.loading')} rows={3} />}
        >
          {requests =>
            requests.length === 0 ? (
              <EmptyState
                title={t('request.emptyTitle')}
                description={t('request.emptyDescription')}
              />
            ) : (
              <ChangeRequestList requests={requests} />
            )
          }
        </Loaded>
      </Panel>
      <Panel title={t('schedule.listTitle')}>
        <Loaded
          query={useSchedules({ state })}
          failed={t('schedule.loadFailed')}
          loading={<LoadingRows label={t('schedule.loading')} rows={3} />}
        >
          {schedules =>
            schedules.length === 0 ? (
              <EmptyState
                title={t('schedule.emptyTitle')}
                description={t('schedule.emptyDescription')}
              />
            ) : (
              <ScheduleList schedules={schedules} namesFlag />
            )
          }
        </Loaded>
      </Panel>
    </div>
  );
}
