import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import { LoadingRows, Panel } from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import type { TableQuery } from '../api/EventsApi';
import {
  type InsightQuery,
  isTable,
  type SavedInsight,
  type WebMetric,
} from '../api/InsightQuery';
import { useInsight } from '../insightQueries';
import { ResultPanel } from '../pages/ResultPanel';
import { useAnswer } from '../queries';
import { analyticsTranslationRef } from '../translation';
import { MetricsSkeleton, WebMetrics } from '../web/WebMetrics';
import { DeleteInsight } from './DeleteSaved';
import { SavedList } from './SavedInsights';
import styles from '../analytics.module.css';

/** Shows a saved insight of a kind that the form cannot build, such as one that a program saved. */
export function SavedResult(props: {
  projectId: string;
  insight: SavedInsight;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const navigate = useNavigate();
  const { projectId, insight } = props;
  const { name, query, may_change: mayChange } = insight;
  const empty = `/analytics/insights?project=${encodeURIComponent(projectId)}`;
  return (
    <div className={styles.stack}>
      <div className={styles.actions}>
        <ButtonLink variant="secondary" size="small" href={empty}>
          {t('insight.create')}
        </ButtonLink>
        {mayChange && (
          <DeleteInsight
            projectId={projectId}
            insight={insight}
            onDeleted={() => navigate(empty)}
          />
        )}
      </div>
      {isTable(query) ? (
        <Table projectId={projectId} name={name} query={query} />
      ) : (
        <Panel title={name}>
          <Metrics projectId={projectId} query={query} />
        </Panel>
      )}
      <p className={styles.text}>{t('insight.ofProgram')}</p>
      <SavedList projectId={projectId} />
    </div>
  );
}

function Table(props: { projectId: string; name: string; query: TableQuery }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, name, query } = props;
  return (
    <Loaded
      query={useAnswer(projectId, query)}
      failed={t('query.failed')}
      loading={<LoadingRows label={t('query.loading')} rows={6} />}
    >
      {answer => (
        <ResultPanel
          title={name}
          answer={answer}
          more={t('insight.moreRows')}
          empty={t('sql.empty')}
        />
      )}
    </Loaded>
  );
}

function Metrics(props: { projectId: string; query: InsightQuery }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, query } = props;
  return (
    <Loaded
      query={useInsight<WebMetric>(projectId, query)}
      failed={t('web.failed')}
      loading={<MetricsSkeleton />}
    >
      {metrics => <WebMetrics metrics={metrics} />}
    </Loaded>
  );
}
