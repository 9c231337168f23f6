import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded, useServiceQuery } from '@slipway/app-react';
import {
  DataTable,
  LoadingRows,
  StatusBadge,
  type Tone,
} from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { adminApiRef, type PartHealth } from './AdminClient';

const EVERY_MS = 15_000;

const TONES: Readonly<Record<PartHealth['state'], Tone>> = {
  up: 'success',
  degraded: 'warning',
  down: 'danger',
};

/** Shows whether each part of the platform works, and its version. */
export function HealthPage() {
  const { t } = useTranslationRef(appTranslationRef);
  const query = useServiceQuery(adminApiRef, ['health'], api => api.health(), {
    refetchInterval: EVERY_MS,
  });
  return (
    <Loaded
      query={query}
      failed={t('admin.health.failed')}
      loading={<LoadingRows label={t('admin.health.loading')} rows={6} />}
    >
      {parts => (
        <DataTable
          label={t('admin.health.title')}
          rows={parts}
          rowId={({ name }) => name}
          columns={[
            {
              id: 'name',
              label: t('admin.part'),
              text: ({ name }) => name,
              cell: ({ name }) => name,
            },
            {
              id: 'state',
              label: t('admin.health.state'),
              width: 136,
              cell: ({ state }) => (
                <StatusBadge
                  tone={TONES[state]}
                  label={t(`admin.health.states.${state}`)}
                />
              ),
            },
            {
              id: 'failing',
              label: t('admin.health.failing'),
              width: '30%',
              from: 'sm',
              cell: ({ failing }) => failing.join(', ') || '–',
            },
            {
              id: 'version',
              label: t('admin.health.version'),
              width: 112,
              from: 'xs',
              cell: ({ version }) => version ?? '–',
            },
          ]}
        />
      )}
    </Loaded>
  );
}
