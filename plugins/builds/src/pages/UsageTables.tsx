import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { useTitles } from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  formatNumber,
  formatPercent,
  Panel,
} from '@slipway/design-system';
import type { Usage, UsageReport } from '../api/BuildsApi';
import { useLinks } from '../routes';
import { buildsTranslationRef, type Translate } from '../translation';
import styles from './UsagePage.module.css';

type JobUsage = UsageReport['jobs'][number];
type TeamUsage = UsageReport['teams'][number];

/** Formats the share of builds that succeeded; undefined if there are none. */
export function formatRate({
  succeeded,
  judged,
}: Pick<Usage, 'succeeded' | 'judged'>): string | undefined {
  return judged === 0 ? undefined : formatPercent((100 * succeeded) / judged);
}

/** Shows usage by job and by team. */
export function UsageTables({ report }: { report: UsageReport }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const { jobs, teams } = report;
  const titleOf = useTitles(
    [...jobs, ...teams].flatMap(({ team }) => team ?? []),
  );
  const teamOf = ({ team }: { team: string | null }) =>
    team === null ? t('usage.noTeam') : titleOf(team);
  return (
    <div className={styles.tables}>
      <Panel title={t('usage.byJob')} padded={false}>
        <DataTable<JobUsage>
          isPlain
          label={t('usage.byJob')}
          rows={jobs}
          rowId={({ job }) => job}
          columns={[
            {
              id: 'job',
              label: t('usage.job'),
              text: ({ job }) => job,
              cell: ({ job }) => <Link href={links.job(job)}>{job}</Link>,
            },
            {
              id: 'team',
              label: t('usage.team'),
              from: 'md',
              cell: teamOf,
            },
            ...numberColumns(t),
          ]}
        />
      </Panel>
      <Panel title={t('usage.byTeam')} padded={false}>
        <DataTable<TeamUsage>
          isPlain
          label={t('usage.byTeam')}
          rows={teams}
          rowId={({ team }) => team ?? ''}
          columns={[
            {
              id: 'team',
              label: t('usage.team'),
              text: teamOf,
              cell: teamOf,
            },
            ...numberColumns(t),
          ]}
        />
      </Panel>
    </div>
  );
}

function numberColumns<U extends Usage>(t: Translate): DataColumn<U>[] {
  return [
    {
      id: 'minutes',
      label: t('usage.minutes'),
      isNumber: true,
      width: 120,
      cell: ({ minutes }) => formatNumber(minutes),
    },
    {
      id: 'builds',
      label: t('usage.builds'),
      isNumber: true,
      width: 88,
      from: 'sm',
      cell: ({ builds }) => formatNumber(builds),
    },
    {
      id: 'success',
      label: t('usage.success'),
      isNumber: true,
      width: 120,
      from: 'sm',
      cell: usage => formatRate(usage) ?? t('usage.none'),
    },
  ];
}
