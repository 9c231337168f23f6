import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { QueryTable, SavedViews, useTitles } from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  FilterBar,
  RelativeTime,
  StatusBadge,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import { CLEAN_UP_REASONS, type CleanUpFlag } from '../../api/cleanUp';
import { useBulkFlags } from '../../components/useBulkFlags';
import { useCleanUp } from '../../queries/flags';
import { useLinks } from '../../routes';
import { flagsTranslationRef, type Translate } from '../../translation';
import styles from '../ListPage.module.css';
import { CleanUpActions } from './CleanUpActions';

/** Flags that can be removed from code, with the reasons and what to do about them. */
export function CleanUpPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const filters = useUrlFilters({ reason: '' });
  const query = useCleanUp();
  const { reason } = filters.values;
  const all = query.data?.features ?? [];
  const ownerTitle = useTitles(
    all.flatMap(({ owner }) => owner ?? []),
    { kind: 'group' },
  );
  const shown = all.filter(
    ({ reasons }) => !reason || reasons.some(each => each === reason),
  );
  return (
    <>
      <FilterBar
        filters={filters}
        selects={[
          {
            key: 'reason',
            label: t('cleanUp.reasons'),
            anyLabel: t('cleanUp.anyReason'),
            options: CLEAN_UP_REASONS.map(value => ({
              value,
              label: t(`cleanUp.reason.${value}`),
            })),
          },
        ]}
        count={
          query.data && {
            shown: shown.length,
            total: all.length,
            noun: [t('cleanUp.nounOne'), t('cleanUp.nounMany')],
          }
        }
      >
        <SavedViews list="clean-up" />
      </FilterBar>
      <QueryTable
        label={t('cleanUp.label')}
        query={query}
        rowsOf={() => shown}
        failed={t('cleanUp.failed')}
        loading={t('cleanUp.loading')}
        rowId={({ name }) => name}
        sort={useUrlSort(['name', 'owner', 'used', 'references'])}
        columnChoice={useUrlColumns()}
        exportAs="clean-up"
        bulk={useBulkFlags()}
        columns={columnsOf(t, {
          links,
          canOpenIssues: query.data?.canOpenIssues ?? false,
          ownerTitle,
        })}
        empty={
          filters.isActive ? (
            <EmptyState
              title={t('cleanUp.noneTitle')}
              description={t('cleanUp.noneDescription')}
            />
          ) : (
            <EmptyState
              title={t('cleanUp.emptyTitle')}
              description={t('cleanUp.emptyDescription')}
            />
          )
        }
      />
    </>
  );
}

function Reasons({ reasons }: Pick<CleanUpFlag, 'reasons'>) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <span className={styles.badges}>
      {reasons.map(reason => (
        <StatusBadge
          key={reason}
          tone={reason === 'stale' ? 'warning' : 'neutral'}
          label={t(`cleanUp.reason.${reason}`)}
        />
      ))}
    </span>
  );
}

function columnsOf(
  t: Translate,
  options: {
    links: ReturnType<typeof useLinks>;
    canOpenIssues: boolean;
    /** Returns the title of the owner of a flag. */
    ownerTitle(owner: string): string;
  },
): DataColumn<CleanUpFlag>[] {
  const { links, canOpenIssues, ownerTitle } = options;
  return [
    {
      id: 'name',
      label: t('cleanUp.name'),
      text: ({ name }) => name,
      sortBy: ({ name }) => name,
      cell: ({ name, issue, reasons }, { isNarrow }) => (
        <span className={styles.name}>
          <Link href={links.flag(name)}>{name}</Link>
          {isNarrow && <Reasons reasons={reasons} />}
          {issue && (
            <Link href={issue.url} target="_blank">
              {t('cleanUp.issue', { number: String(issue.number) })}
            </Link>
          )}
        </span>
      ),
    },
    {
      id: 'reasons',
      label: t('cleanUp.reasons'),
      from: 'sm',
      csv: ({ reasons }) => reasons.join(', '),
      cell: ({ reasons }) => <Reasons reasons={reasons} />,
    },
    {
      id: 'owner',
      label: t('cleanUp.owner'),
      from: 'md',
      width: 140,
      csv: ({ owner }) => owner ?? '',
      sortBy: ({ owner }) => (owner ? ownerTitle(owner) : ''),
      cell: ({ owner }) =>
        owner ? (
          <span title={owner}>{ownerTitle(owner)}</span>
        ) : (
          <span className={styles.quiet}>{t('cleanUp.noOwner')}</span>
        ),
    },
    {
      id: 'used',
      label: t('cleanUp.lastUsed'),
      from: 'sm',
      width: 130,
      csv: ({ lastUsedAt }) => lastUsedAt ?? '',
      sortBy: ({ lastUsedAt }) => lastUsedAt ?? '',
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? <RelativeTime value={lastUsedAt} /> : t('cleanUp.never'),
    },
    {
      id: 'references',
      label: t('cleanUp.references'),
      from: 'md',
      isNumber: true,
      width: 150,
      csv: ({ references }) => String(references ?? ''),
      sortBy: ({ references }) => references ?? -1,
      cell: ({ references }) => references ?? t('cleanUp.notScanned'),
    },
    {
      id: 'actions',
      label: t('cleanUp.actions'),
      hidesLabel: true,
      width: 64,
      cell: flag => (
        <CleanUpActions flag={flag} canOpenIssues={canOpenIssues} />
      ),
    },
  ];
}
