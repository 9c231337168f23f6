import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  EmptyState,
  LoadingBlock,
  Panel,
  useUrlFilters,
} from '@slipway/design-system';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { isHogql } from '../api/InsightQuery';
import { useInsight } from '../insightQueries';
import { DEFAULTS, isReady } from '../insights/insightForm';
import { InsightForm } from '../insights/InsightForm';
import { InsightResult } from '../insights/InsightResult';
import { SaveDialog } from '../insights/SaveDialog';
import { DeleteInsight, SavedList, useOpened } from '../insights/SavedInsights';
import { addressOf, currentQuery } from '../insights/savedQuery';
import { AnnotationPanel } from '../marks/AnnotationPanel';
import { marksIn, useMarks } from '../marks/useMarks';
import { useProject } from '../projectQueries';
import { useTestAccounts } from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** Builds queries about what people do; the URL holds the query, and the id of a saved one. */
export function InsightsPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const form = useUrlFilters(DEFAULTS);
  const testAccounts = useTestAccounts(project);
  const { opened: saved, isOpening } = useOpened(project?.id);
  const values = {
    ...form.values,
    tests: testAccounts.isFiltered ? 'out' : 'in',
  };
  const sql = saved && isHogql(saved.query) ? saved.query : undefined;
  const { query, more } = currentQuery(values, saved?.query);
  const isAsked = more.length > 0 || isReady(values);
  const insight = useInsight<unknown>(
    isAsked && !isOpening && !sql ? project?.id : undefined,
    query,
  );
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [isSaving, setIsSaving] = useState(false);
  const marks = marksIn(project?.timeZone ?? 'UTC', useMarks(project?.id));
  if (project && saved && sql) {
    const address = addressOf(sql, { project: project.id, insight: saved.id });
    return <Navigate replace to={address} />;
  }
  return (
    <div className={styles.stack}>
      <InsightForm form={form} testAccounts={testAccounts} />
      <Panel
        title={saved?.name ?? t(`insight.kinds.${query.kind as 'TrendsQuery'}`)}
        action={
          <div className={styles.actions}>
            {project && saved?.may_change && (
              <DeleteInsight
                projectId={project.id}
                insight={saved}
                onDeleted={() =>
                  navigate(
                    `${pathname}?project=${encodeURIComponent(project.id)}`,
                  )
                }
              />
            )}
            <Button
              size="small"
              variant="secondary"
              onPress={() => setIsSaving(true)}
            >
              {t('insight.save')}
            </Button>
          </div>
        }
      >
        {more.length > 0 && (
          <p className={styles.note}>
            {t('insight.more', { fields: more.join(', ') })}
          </p>
        )}
        {isAsked ? (
          <Loaded
            query={insight}
            failed={t('trends.failed')}
            loading={<LoadingBlock label={t('trends.loading')} height={240} />}
          >
            {results => (
              <InsightResult query={query} results={results} marks={marks} />
            )}
          </Loaded>
        ) : (
          <EmptyState
            title={t('trends.ofMissingTitle')}
            description={t('trends.ofMissingDescription')}
          />
        )}
      </Panel>
      {project && <AnnotationPanel projectId={project.id} />}
      {project && <SavedList projectId={project.id} />}
      {project && isSaving && (
        <SaveDialog
          projectId={project.id}
          query={query}
          opened={saved?.may_change ? saved : undefined}
          onClose={() => setIsSaving(false)}
        />
      )}
    </div>
  );
}
