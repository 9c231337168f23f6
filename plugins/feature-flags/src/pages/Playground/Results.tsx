import type { CSSProperties } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link, useBreakpoint } from '@backstage/ui';
import { type LoadableQuery, QueryTable, SavedViews } from '@slipway/app-react';
import {
  type ColumnChoice,
  type DataColumn,
  EmptyState,
  FilterBar,
  ListAndPanel,
  StatusBadge,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import type { EvaluatedFlag, FlagTable } from '../../api/playground';
import { useLinks } from '../../routes';
import { flagsTranslationRef, type Translate } from '../../translation';
import listStyles from '../ListPage.module.css';
import { columnLabels, filterTable, RESULTS, resultText } from './flagTable';
import { ResultPanel } from './ResultPanel';
import styles from './Playground.module.css';

/** Number of result columns that are shown until the user chooses others. */
const MOST_SHOWN = 8;
/** Number of result columns that fit in small windows, on phones and next to a panel. */
const ROOM = { sm: 4, phone: 2, beside: 3 } as const;

/** The results of flags as a table with search and filter, and a panel that explains one of them. */
export function Results({ query }: { query: LoadableQuery<FlagTable> }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { '*': name } = useParams();
  const navigate = useNavigate();
  const links = useLinks();
  const { search } = useLocation();
  const filters = useUrlFilters({ q: '', show: '' });
  const choice = useUrlColumns();
  const { up } = useBreakpoint();
  const { data } = query;
  const labels = columnLabels(data?.columns ?? []);
  const shown = filterTable(data?.features ?? [], filters.values);
  const ids = shownResults(labels.length, choice);
  const room = up('md') ? Infinity : ROOM[up('sm') ? 'sm' : 'phone'];
  const visible = Math.min(ids.length, name ? ROOM.beside : room);
  const hrefOf = (flag: string, at?: number) => {
    const parameters = new URLSearchParams(search);
    if (at !== undefined) {
      parameters.set('at', String(at));
    }
    return `${links.playgroundFlag(flag)}?${parameters}`;
  };
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('evaluation.search') }}
        selects={[
          {
            key: 'show',
            label: t('evaluation.show'),
            anyLabel: t('evaluation.anyResult'),
            options: RESULTS.map(value => ({
              value,
              label: t(`evaluation.results.${value}`),
            })),
          },
        ]}
        count={
          data && {
            shown: shown.length,
            total: data.features.length,
            noun: [t('evaluation.nounOne'), t('evaluation.nounMany')],
          }
        }
      >
        <SavedViews list="playground" />
      </FilterBar>
      <ListAndPanel
        panel={
          name &&
          data && (
            <ResultPanel
              name={name}
              table={data}
              labels={labels}
              onClose={() => navigate(links.playground + search)}
            />
          )
        }
      >
        <div
          className={styles.results}
          data-wide={visible > MOST_SHOWN || undefined}
          style={{ '--results': visible } as CSSProperties}
        >
          <QueryTable
            label={t('evaluation.label')}
            query={query}
            rowsOf={() => shown}
            failed={t('evaluation.failed')}
            loading={t('evaluation.loading')}
            rowId={flag => flag.name}
            selectedId={name}
            sort={useUrlSort(['name', 'project'])}
            columnChoice={choice}
            exportAs="playground"
            columns={columnsOf(t, { labels, ids, hrefOf })}
            tellsOutdated
            empty={
              <EmptyState
                title={t(
                  filters.isActive
                    ? 'evaluation.noneTitle'
                    : 'evaluation.emptyTitle',
                )}
                description={t(
                  filters.isActive
                    ? 'evaluation.noneDescription'
                    : 'evaluation.emptyDescription',
                )}
              />
            }
          />
        </div>
        {/* Not next to the panel, which offers all results. */}
        {!name && visible < (choice.chosen ? ids : labels).length && (
          <p className={listStyles.quiet}>
            {t('evaluation.more', {
              shown: String(visible),
              total: String(labels.length),
            })}
          </p>
        )}
      </ListAndPanel>
    </>
  );
}

/** Returns the id of the column of a result. */
const columnId = (index: number) => `result-${index}`;

/** Lists the ids of the result columns that the user has chosen, or that are shown by default. */
function shownResults(count: number, { chosen }: ColumnChoice): string[] {
  const ids = Array.from({ length: count }, (_, index) => columnId(index));
  return chosen
    ? ids.filter(id => chosen.includes(id))
    : ids.slice(0, MOST_SHOWN);
}

/** Returns the columns of the table: the flag, its project, and one for each environment and context. */
function columnsOf(
  t: Translate,
  options: {
    /** The names of the results. */
    labels: readonly string[];
    /** The ids of the results that are shown if there is room. */
    ids: readonly string[];
    hrefOf(flag: string, at?: number): string;
  },
): DataColumn<EvaluatedFlag>[] {
  const { labels, ids, hrefOf } = options;
  return [
    {
      id: 'name',
      label: t('evaluation.name'),
      // In pixels if the table is wider than the page, where a share of it would be too wide.
      width: ids.length > MOST_SHOWN ? 240 : '28%',
      widthBeside: '36%',
      text: ({ name }) => name,
      sortBy: ({ name }) => name,
      cell: ({ name }) => (
        <span className={listStyles.name}>
          {/* The URLs of results contain user ids, which analytics must not collect. */}
          <Link noTrack href={hrefOf(name)}>
            {name}
          </Link>
        </span>
      ),
    },
    {
      id: 'project',
      label: t('evaluation.project'),
      isExtra: true,
      sortBy: ({ project }) => project,
      cell: ({ project }) => project,
    },
    ...labels.map((label, index): DataColumn<EvaluatedFlag> => {
      const id = columnId(index);
      const place = ids.indexOf(id);
      return {
        id,
        label,
        // The panel of a flag offers the results that do not fit.
        ...(place >= ROOM.phone && {
          from: place < ROOM.sm ? ('sm' as const) : ('md' as const),
        }),
        ...(place >= ROOM.beside && { beside: false }),
        ...(index >= MOST_SHOWN && { isExtra: true }),
        csv: ({ results }) => resultText(t, results[index]),
        cell: ({ name, results }) => {
          const result = resultText(t, results[index]);
          return (
            <Link
              noTrack
              className={styles.result}
              href={hrefOf(name, index)}
              aria-label={t('evaluation.cell', { name, column: label, result })}
            >
              <StatusBadge
                tone={results[index].enabled ? 'success' : 'neutral'}
                label={result}
              />
            </Link>
          );
        },
      };
    }),
  ];
}
