import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { QueryTable } from '@slipway/app-react';
import {
  EmptyState,
  formatBrief,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import { useApplicationUsage } from '../../queries/usage';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

const HOUR_MS = 3_600_000;

/** The hour of the last evaluation; "this hour" for the current one, in which the minute is unknown. */
function LastHour({ start }: { start: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return Date.parse(start) + HOUR_MS > Date.now() ? (
    t('applications.thisHour')
  ) : (
    <RelativeTime value={start} />
  );
}

/** A panel with the usage of a flag by application and environment. */
export function ApplicationsPanel({ name }: { name: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <Panel title={t('applications.title')} padded={false}>
      <QueryTable
        isPlain
        label={t('applications.title')}
        query={useApplicationUsage(name)}
        rowsOf={applications => applications}
        failed={t('applications.failed')}
        loading={t('applications.loading')}
        empty={
          <EmptyState
            level={3}
            title={t('applications.emptyTitle')}
            description={t('applications.emptyDescription')}
          />
        }
        rowId={({ appName, environment }) => `${appName} ${environment}`}
        columns={[
          {
            id: 'application',
            label: t('applications.name'),
            text: ({ appName }) => appName,
            cell: ({ appName, environment }, { isNarrow }) =>
              isNarrow ? (
                <span className={styles.application}>
                  {appName}
                  <span className={styles.quiet}>{environment}</span>
                </span>
              ) : (
                appName
              ),
          },
          {
            id: 'environment',
            label: t('applications.environment'),
            from: 'sm',
            cell: ({ environment }) => environment,
          },
          {
            id: 'on',
            label: t('state.on'),
            isNumber: true,
            width: 72,
            cell: ({ yes }) => formatBrief(yes),
          },
          {
            id: 'off',
            label: t('state.off'),
            isNumber: true,
            width: 72,
            cell: ({ no }) => formatBrief(no),
          },
          {
            id: 'variants',
            label: t('rollout.variants'),
            from: 'md',
            cell: ({ variants }) =>
              Object.entries(variants)
                .map(([variant, count]) => `${variant} ${formatBrief(count)}`)
                .join(', ') || '–',
          },
          {
            id: 'last',
            label: t('applications.lastHour'),
            from: 'sm',
            cell: ({ lastHour }) => <LastHour start={lastHour} />,
          },
        ]}
      />
    </Panel>
  );
}
