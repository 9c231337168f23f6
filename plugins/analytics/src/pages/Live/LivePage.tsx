import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import {
  FilterBar,
  ListAndPanel,
  LoadingRows,
  useUrlFilters,
} from '@slipway/design-system';
import { RiPauseLine, RiPlayLine } from '@remixicon/react';
import { ConnectGuide } from '../../components/ConnectGuide';
import { useEventNames, useLiveEvents } from '../../data/useEvents';
import { useProject } from '../../data/useProject';
import { analyticsTranslationRef } from '../../translation';
import { EventPanel } from './EventPanel';
import { EventTable } from './EventTable';

/** Events as they arrive, and one of them in full beside the list. */
export function LivePage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const filters = useUrlFilters({ event: '' });
  const selection = useUrlFilters({ id: '' });
  const [isPaused, setIsPaused] = useState(false);
  const { event } = filters.values;
  const names = useEventNames(project?.id);
  const { data, error, isPending, refetch } = useLiveEvents(project?.id, {
    event,
    isPaused,
  });
  const selected = data?.find(({ uuid }) => uuid === selection.values.id);
  const isFresh = data?.length === 0 && !event;
  return (
    <>
      <FilterBar
        filters={filters}
        selects={[
          {
            key: 'event',
            label: t('live.event'),
            anyLabel: t('live.anyEvent'),
            options: [
              ...new Set([...(names.data ?? []), ...(event ? [event] : [])]),
            ].map(name => ({
              value: name,
              label: name,
            })),
          },
        ]}
        count={
          data && {
            shown: data.length,
            total: data.length,
            noun: [t('live.nounOne'), t('live.nounMany')],
          }
        }
      >
        <Button
          size="small"
          variant="secondary"
          iconStart={
            isPaused ? <RiPlayLine size={16} /> : <RiPauseLine size={16} />
          }
          onPress={() => setIsPaused(!isPaused)}
        >
          {t(isPaused ? 'live.goOn' : 'live.pause')}
        </Button>
      </FilterBar>
      <ListAndPanel
        panel={
          selected && (
            <EventPanel
              event={selected}
              onClose={() => selection.set('id', '')}
            />
          )
        }
      >
        {isPending && <LoadingRows label={t('live.loading')} rows={8} />}
        {error && (
          <ReadFailure
            title={t('live.failed')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {isFresh && <ConnectGuide />}
        {data && data.length > 0 && (
          <EventTable
            events={data}
            onOpen={uuid => selection.set('id', uuid)}
          />
        )}
        {data?.length === 0 && event && <p role="status">{t('live.none')}</p>}
      </ListAndPanel>
    </>
  );
}
