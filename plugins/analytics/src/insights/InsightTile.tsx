import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { type ChartMark, Loaded } from '@slipway/app-react';
import { EmptyState, LoadingBlock, Panel } from '@slipway/design-system';
import { Link } from 'react-router-dom';
import type { TableQuery } from '../api/EventsApi';
import { hasForm, isTable, type SavedInsight } from '../api/InsightQuery';
import { useInsight } from '../insightQueries';
import { ResultTable } from '../pages/ResultPanel';
import { useProject } from '../projectQueries';
import { useAnswer } from '../queries';
import { analyticsTranslationRef } from '../translation';
import { inPeriod } from './inPeriod';
import { InsightResult } from './InsightResult';
import { addressOf, isOfForm } from './savedQuery';
import { type PeopleLink, textOfSelection } from './selection';
import { type TilePlace, TileMoves } from './TileMoves';
import styles from '../analytics.module.css';

/** Shows a saved insight on a dashboard. */
export function InsightTile(props: {
  projectId: string;
  insight: SavedInsight;
  /** The period to show, such as `-30d`; empty for the insight's own. */
  period: string;
  /** The annotations, deployments and flag changes, in the local time of the project. */
  marks: readonly ChartMark<string>[];
  /** Given together with `onRemove` if the user may change the dashboard. */
  moves?: TilePlace;
  onRemove?: () => void;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, insight, period, marks, moves, onRemove } = props;
  const query = inPeriod(insight.query, period);
  const more = { project: projectId, insight: insight.id };
  // The page of an insight has a different period only in its form, which may not have all of it.
  const opened = isOfForm(query) ? query : insight.query;
  return (
    <Panel
      title={insight.name}
      padded={!isTable(query)}
      action={
        <div className={styles.actions}>
          <Link
            to={addressOf(opened, more)}
            aria-label={t('dashboard.openNamed', insight)}
          >
            {t('dashboard.open')}
          </Link>
          {moves && <TileMoves name={insight.name} {...moves} />}
          {onRemove && (
            <Button
              size="small"
              variant="tertiary"
              aria-label={t('dashboard.removeNamed', insight)}
              onPress={onRemove}
            >
              {t('insight.remove')}
            </Button>
          )}
        </div>
      }
    >
      {isTable(query) ? (
        <TableContent projectId={projectId} name={insight.name} query={query} />
      ) : (
        <ChartContent
          projectId={projectId}
          insight={{ ...insight, query }}
          marks={marks}
          hasPeople={hasForm(query) && opened === query}
        />
      )}
      {period !== '' && query === insight.query && (
        <p className={styles.note}>{t('dashboard.keepsPeriod')}</p>
      )}
    </Panel>
  );
}

function ChartContent(props: {
  projectId: string;
  insight: SavedInsight;
  marks: readonly ChartMark<string>[];
  /** True if the page of the insight can show the people behind the numbers. */
  hasPeople: boolean;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, insight, marks, hasPeople } = props;
  const { query } = insight;
  const { project } = useProject();
  // The page of the insight shows the people next to the same chart.
  const peopleLink: PeopleLink = selection =>
    addressOf(query, {
      project: projectId,
      insight: insight.id,
      people: textOfSelection(selection),
    });
  return (
    <Loaded
      query={useInsight<unknown>(projectId, query, { mayBeOld: true })}
      failed={t('trends.failed')}
      loading={<LoadingBlock label={t('trends.loading')} height={200} />}
    >
      {results => (
        <InsightResult
          query={query}
          results={results}
          marks={marks}
          peopleLink={
            project && !project.hidesPeople && hasPeople
              ? peopleLink
              : undefined
          }
        />
      )}
    </Loaded>
  );
}

function TableContent(props: {
  projectId: string;
  name: string;
  query: TableQuery;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, name, query } = props;
  return (
    <Loaded
      query={useAnswer(projectId, query, { mayBeOld: true })}
      failed={t('query.failed')}
      loading={<LoadingBlock label={t('query.loading')} height={200} />}
    >
      {result =>
        result.rows.length === 0 ? (
          <EmptyState
            title={t('query.emptyTitle')}
            description={t('sql.empty')}
          />
        ) : (
          <div className={styles.tile}>
            <ResultTable label={name} result={result} />
          </div>
        )
      }
    </Loaded>
  );
}
