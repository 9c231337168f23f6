import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link } from '@backstage/ui';
import { type PageFrameProps, QueryTable } from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  FilterBar,
  Page,
  PageHeader,
  RelativeTime,
  Sparkline,
  useUrlFilters,
} from '@slipway/design-system';
import type { Flag, UsagePoint } from '../api/FlagsApi';
import {
  FLAG_TYPES,
  FlagState,
  FlagTypeName,
  formatCount,
} from '../components/FlagState';
import { useFlags, useMayChange, useRecentUsage } from '../queries';
import { useLinks } from '../routes';
import { flagsTranslationRef, type Translate } from '../translation';
import { ConnectGuide } from './ConnectGuide';
import { CreateFlagDialog } from './CreateFlagDialog';
import styles from './ListPage.module.css';

/** The header above the tabs, with the button that creates a flag. */
export function FlagsFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const mayChange = useMayChange();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page
      header={
        <PageHeader
          {...header}
          description={t('page.description')}
          action={
            mayChange && (
              <Button variant="primary" onPress={() => setIsCreating(true)}>
                {t('create.open')}
              </Button>
            )
          }
        />
      }
    >
      {children}
      {isCreating && <CreateFlagDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

const STATES = ['on', 'off', 'stale', 'archived'] as const;

/** Every flag, to find one and to see which are used. */
export function ListPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const filters = useUrlFilters({ q: '', type: '', state: '' });
  const links = useLinks();
  const query = useFlags(filters.values.state === 'archived');
  const { data } = query;
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
      <QueryTable
        label={t('list.label')}
        query={query}
        rowsOf={() => shown}
        failed={t('list.failed')}
        rowId={({ name }) => name}
        columns={columnsOf(t, links, usage.data).filter(
          ({ id }) => id !== 'usage' || usage.isShown,
        )}
        loading={t('list.loading')}
        empty={
          filters.isActive ? (
            <EmptyState
              title={t('list.noneTitle')}
              description={t('list.noneDescription')}
            />
          ) : (
            <>
              <EmptyState
                title={t('list.emptyTitle')}
                description={t(
                  mayChange ? 'list.emptyDescription' : 'list.emptyForReaders',
                )}
              />
              <ConnectGuide />
            </>
          )
        }
      />
    </>
  );
}

/** What a list can be narrowed to; an empty text is no filter. */
interface FlagFilters {
  /** Part of name or description, whatever its case. */
  q: string;
  type: string;
  /** `on`, `off`, `stale` or `archived`; the last is another list. */
  state: string;
}

/** The flags that are asked for, in their order. */
function filterFlags(
  flags: readonly Flag[],
  { q, type, state }: FlagFilters,
): Flag[] {
  const words = q.trim().toLocaleLowerCase();
  return flags.filter(
    flag =>
      (!words ||
        flag.name.toLocaleLowerCase().includes(words) ||
        flag.description.toLocaleLowerCase().includes(words)) &&
      (!type || flag.type === type) &&
      hasState(flag, state),
  );
}

function hasState(flag: Flag, state: string): boolean {
  switch (state) {
    case 'on':
      return flag.enabled;
    case 'off':
      return !flag.enabled;
    case 'stale':
      return flag.stale;
    default:
      return true;
  }
}

/**
 * Columns of the flags; the name takes the width that the others leave.
 *
 * @param usage - of 24 hours by flag name; undefined while it is not known.
 */
function columnsOf(
  t: Translate,
  links: ReturnType<typeof useLinks>,
  usage: ReadonlyMap<string, readonly UsagePoint[]> | undefined,
): DataColumn<Flag>[] {
  return [
    {
      id: 'name',
      label: t('list.name'),
      text: ({ name }) => name,
      cell: ({ name, description }) => (
        <span className={styles.name}>
          <Link href={links.flag(name)}>{name}</Link>
          {description && <span className={styles.quiet}>{description}</span>}
        </span>
      ),
    },
    {
      id: 'state',
      label: t('list.state'),
      width: 136,
      cell: flag => (
        <span className={styles.badges}>
          <FlagState flag={flag} />
        </span>
      ),
    },
    {
      id: 'type',
      label: t('list.type'),
      width: 128,
      from: 'sm',
      cell: ({ type }) => <FlagTypeName type={type} />,
    },
    {
      id: 'usage',
      label: t('list.usage'),
      width: 200,
      from: 'sm',
      cell: ({ name }) => (
        <RecentUsage points={usage && (usage.get(name) ?? [])} />
      ),
    },
    {
      id: 'updated',
      label: t('list.updated'),
      width: 136,
      from: 'sm',
      cell: ({ updatedAt }) => <RelativeTime value={updatedAt} />,
    },
  ];
}

/** How often a flag was asked for in 24 hours. */
function RecentUsage(props: {
  /** Undefined while it is not known. */
  points: readonly UsagePoint[] | undefined;
}) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { points } = props;
  if (!points) {
    return null;
  }
  const totals = points.map(({ yes, no }) => yes + no);
  const total = totals.reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    return <span className={styles.quiet}>{t('usage.none')}</span>;
  }
  return (
    <span className={styles.usage}>
      <span className={styles.spark}>
        <Sparkline values={totals} />
      </span>
      {formatCount(total)}
    </span>
  );
}
