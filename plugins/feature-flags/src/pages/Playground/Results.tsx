import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { type LoadableQuery, QueryTable, SavedViews } from '@slipway/app-react';
import {
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

/** Columns beyond these are hidden until the user chooses them. */
const MOST_SHOWN = 8;

/** The results of flags as a table with search and filter, and a panel that explains one of them. */
export function Results({ query }: { query: LoadableQuery<FlagTable> }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { '*': name } = useParams();
  const navigate = useNavigate();
  const links = useLinks();
  const { search } = useLocation();
  const filters = useUrlFilters({ q: '', show: '' });
  const choice = useUrlColumns();
  const { data } = query;
  const labels = columnLabels(data?.columns ?? []);
  const shown = filterTable(data?.features ?? [], filters.values);
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
          columns={columnsOf(t, { labels, hrefOf })}
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
        {labels.length > MOST_SHOWN && !choice.chosen && (
          <p className={listStyles.quiet}>
            {t('evaluation.more', {
              shown: String(MOST_SHOWN),
              total: String(labels.length),
            })}
          </p>
        )}
      </ListAndPanel>
    </>
  );
}

/** Returns the columns of the table: the flag, its project, and one for each environment and context. */
function columnsOf(
  t: Translate,
  options: {
    labels: readonly string[];
    hrefOf(flag: string, at?: number): string;
  },
): DataColumn<EvaluatedFlag>[] {
  const { labels, hrefOf } = options;
  return [
    {
      id: 'name',
      label: t('evaluation.name'),
      width: '28%',
      widthBeside: '36%',
      text: ({ name }) => name,
      sortBy: ({ name }) => name,
      cell: ({ name }) => (
        <span className={listStyles.name}>
          {/* Addresses of results contain the ids of users, which are not for analytics. */}
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
    ...labels.map((label, index): DataColumn<EvaluatedFlag> => ({
      id: `result-${index}`,
      label,
      // The panel of a flag offers the others.
      ...(index >= 2 && {
        from: index < 4 ? ('sm' as const) : ('md' as const),
      }),
      ...(index >= 3 && { beside: false }),
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
    })),
  ];
}
