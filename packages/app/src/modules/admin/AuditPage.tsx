import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  actorName,
  Loaded,
  matchesWords,
  SavedViews,
  useServiceQuery,
} from '@slipway/app-react';
import {
  DataTable,
  FilterBar,
  LoadingRows,
  RelativeTime,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { adminApiRef, type PartAct, type PlatformAudit } from './AdminClient';
import {
  EmptyList,
  MissingParts,
  NameCell,
  partColumn,
  partSelect,
} from './partData';
import './admin.css';

const DAYS = 90;
/** Maximum number of entries per part. */
const MAX = 500;
const DAY_MS = 86_400_000;

/** Shows what admins did in all parts of the platform, newest first. */
export function AuditPage() {
  const { t } = useTranslationRef(appTranslationRef);
  // Rounded to the day: an exact time would make each render a new query.
  const from = useMemo(
    () =>
      `${new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`,
    [],
  );
  const query = useServiceQuery(adminApiRef, ['audit', from], api =>
    api.audit({ from, limit: MAX }),
  );
  return (
    <Loaded
      query={query}
      failed={t('admin.audit.failed')}
      loading={<LoadingRows label={t('admin.audit.loading')} rows={8} />}
    >
      {audit => <Acts audit={audit} />}
    </Loaded>
  );
}

function Acts({ audit }: { audit: PlatformAudit }) {
  const { t } = useTranslationRef(appTranslationRef);
  const { acts, parts, missing, truncated } = audit;
  const filters = useUrlFilters({ q: '', part: '' });
  const sort = useUrlSort(['at', 'by', 'action', 'part'], {
    column: 'at',
    direction: 'descending',
  });
  const { q, part: wanted } = filters.values;
  const rows = acts.filter(
    ({ part, by, action, target }) =>
      (wanted === '' || part === wanted) &&
      matchesWords(q, [by, action, target]),
  );
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('admin.audit.search') }}
        selects={[partSelect(t, parts)]}
        count={{
          shown: rows.length,
          total: acts.length,
          noun: [t('admin.audit.nounOne'), t('admin.audit.nounMany')],
        }}
      >
        <SavedViews list="admin-audit" />
      </FilterBar>
      <MissingParts parts={missing} />
      <DataTable
        label={t('admin.audit.title')}
        rows={rows}
        rowId={({ id }) => id}
        sort={sort}
        columnChoice={useUrlColumns()}
        exportAs="audit-log"
        empty={<EmptyList list="audit" hasRows={acts.length > 0} />}
        columns={[
          {
            id: 'action',
            label: t('admin.audit.action'),
            text: ({ action }) => action,
            sortBy: ({ action }) => action,
            cell: ({ action, target, by, at }, { isNarrow }) => (
              <NameCell name={action} isNarrow={isNarrow}>
                {[target, actorName(by)].filter(Boolean).join(' · ')}{' '}
                <RelativeTime value={at} />
              </NameCell>
            ),
          },
          {
            id: 'target',
            label: t('admin.audit.target'),
            width: '24%',
            from: 'sm',
            csv: ({ target }) => target,
            cell: ({ target }) => target ?? '–',
          },
          {
            id: 'by',
            label: t('admin.audit.by'),
            width: '16%',
            from: 'sm',
            csv: ({ by }) => by,
            sortBy: ({ by }) => actorName(by),
            cell: ({ by }) => actorName(by),
          },
          partColumn<PartAct>(t, { width: '12%', from: 'md' }),
          {
            id: 'at',
            label: t('admin.audit.at'),
            width: 128,
            from: 'sm',
            csv: ({ at }) => at,
            sortBy: ({ at }) => at,
            cell: ({ at }) => <RelativeTime value={at} />,
          },
        ]}
      />
      <p className="slw-AdminNote">
        {t(truncated ? 'admin.audit.cut' : 'admin.audit.period', {
          days: String(DAYS),
          most: String(MAX),
        })}
      </p>
    </>
  );
}
