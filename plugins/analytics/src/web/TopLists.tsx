import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  DataTable,
  EmptyState,
  LoadingRows,
  Panel,
  type UrlFilters,
} from '@slipway/design-system';
import type { EventsQuery } from '../api/EventsApi';
import { Bar } from '../insights/FunnelChart';
import { formatCount } from '../insights/valueNames';
import { useAnswer } from '../queries';
import { analyticsTranslationRef } from '../translation';
import {
  conditionsOf,
  groupingOf,
  type ListId,
  LISTS,
  nameOf,
  sinceStartOf,
  SOURCE_KINDS,
  sourceKindOf,
  type WebValues,
} from './webLists';
import styles from '../analytics.module.css';

const ROWS = 10;

/** Lists the sources, pages and so on with the most visitors; clicking one filters the page by it. */
export function TopLists(props: {
  projectId: string | undefined;
  form: UrlFilters<keyof WebValues>;
  filterTestAccounts: boolean;
}) {
  const { projectId, form, filterTestAccounts } = props;
  const { values, set, setAll } = form;
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <div className={styles.tiles}>
      {LISTS.map(list => {
        const by = groupingOf(list, values);
        return (
          <TopList
            key={list}
            projectId={projectId}
            list={list}
            choice={
              list === 'sources' && (
                <Select
                  className={styles.filter}
                  aria-label={t('web.sourceKind')}
                  size="small"
                  value={sourceKindOf(values)}
                  onChange={value =>
                    setAll({ sourceKind: String(value), sources: '' })
                  }
                  options={SOURCE_KINDS.map(value => ({
                    value,
                    label: t(`web.sourceKinds.${value}`),
                  }))}
                />
              )
            }
            onChoose={value => set(list, value)}
            query={{
              select: [by, 'uniq(person_id)', 'count()'],
              event: '$pageview',
              where: [
                `${by} is not null`,
                ...sinceStartOf(values),
                ...conditionsOf(values),
              ],
              orderBy: ['uniq(person_id) desc'],
              after: 'all',
              filterTestAccounts,
              limit: ROWS,
            }}
          />
        );
      })}
    </div>
  );
}

/** Lists the values with the most visitors, such as pages. */
function TopList(props: {
  projectId: string | undefined;
  list: ListId;
  query: EventsQuery;
  /** A control shown next to the title. */
  choice?: ReactNode;
  /** Called with a value when its row is clicked. */
  onChoose(value: string): void;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, list, query, choice, onChoose } = props;
  const title = t(`web.lists.${list}`);
  return (
    <Panel title={title} padded={false} action={choice}>
      <Loaded
        query={useAnswer(projectId, query)}
        failed={t('web.failed')}
        loading={<LoadingRows label={t('web.loading')} rows={5} />}
      >
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState
              level={3}
              title={t('web.emptyTitle')}
              description={t(
                list === 'countries'
                  ? 'web.noCountries'
                  : 'web.emptyDescription',
              )}
            />
          ) : (
            <DataTable<{ value: string; people: number; views: number }>
              isPlain
              label={title}
              rows={rows.map(([name, people, views]) => ({
                value: String(name),
                people: Number(people),
                views: Number(views),
              }))}
              rowId={({ value }) => value}
              onOpen={onChoose}
              columns={[
                {
                  id: 'name',
                  label: t(`web.columns.${list}`),
                  text: ({ value }) => nameOf(list, value, t('web.direct')),
                  cell: ({ value }) => nameOf(list, value, t('web.direct')),
                },
                {
                  id: 'share',
                  label: t('insight.share'),
                  from: 'sm',
                  cell: ({ people }) => (
                    <Bar part={people} whole={sumOf(rows)} />
                  ),
                },
                {
                  id: 'people',
                  label: t('web.visitors'),
                  isNumber: true,
                  width: 96,
                  cell: ({ people }) => formatCount(people),
                },
                {
                  id: 'views',
                  label: t('web.metrics.views'),
                  isNumber: true,
                  width: 96,
                  from: 'xs',
                  cell: ({ views }) => formatCount(views),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Adds up the visitors of all rows of a list. */
function sumOf(rows: readonly (readonly unknown[])[]): number {
  return rows.reduce((sum, [, people]) => sum + Number(people), 0);
}
