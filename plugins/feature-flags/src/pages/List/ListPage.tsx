import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import {
  EmptyState,
  FilterBar,
  LoadingRows,
  useUrlFilters,
} from '@slipway/design-system';
import { useFlags, useMayChange, useRecentUsage } from '../../data/useFlags';
import { flagsTranslationRef } from '../../translation';
import { ConnectGuide } from '../Access/ConnectGuide';
import { filterFlags } from './filterFlags';
import { FlagTable } from './FlagTable';
import { FLAG_TYPES } from './flagTypes';

const STATES = ['on', 'off', 'stale', 'archived'] as const;

/** Every flag, to find one and to see which are used. */
export function ListPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const filters = useUrlFilters({ q: '', type: '', state: '' });
  const { data, error, isPending, refetch } = useFlags(
    filters.values.state === 'archived',
  );
  const usage = useRecentUsage();
  const mayChange = useMayChange();
  const shown = filterFlags(data ?? [], filters.values);
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('list.search') }}
        selects={[
          {
            key: 'type',
            label: t('list.type'),
            anyLabel: t('list.anyType'),
            options: FLAG_TYPES.map(value => ({
              value,
              label: t(`type.${value}`),
            })),
          },
          {
            key: 'state',
            label: t('list.state'),
            anyLabel: t('list.anyState'),
            options: STATES.map(value => ({
              value,
              label: t(`state.${value}`),
            })),
          },
        ]}
        count={
          data && {
            shown: shown.length,
            total: data.length,
            noun: [t('list.nounOne'), t('list.nounMany')],
          }
        }
      />
      {isPending && <LoadingRows label={t('list.loading')} rows={8} />}
      {error && !data && (
        <ReadFailure
          title={t('list.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data?.length === 0 && !filters.isActive && (
        <>
          <EmptyState
            title={t('list.emptyTitle')}
            description={t(
              mayChange ? 'list.emptyDescription' : 'list.emptyForReaders',
            )}
          />
          <ConnectGuide />
        </>
      )}
      {data && shown.length === 0 && filters.isActive && (
        <EmptyState
          title={t('list.noneTitle')}
          description={t('list.noneDescription')}
        />
      )}
      {shown.length > 0 && (
        <FlagTable
          flags={shown}
          usage={usage.data}
          isUsageShown={usage.isShown}
        />
      )}
    </>
  );
}
