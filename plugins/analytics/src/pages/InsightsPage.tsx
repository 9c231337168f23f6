import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  ConfirmDialog,
  EmptyState,
  LoadingBlock,
  Panel,
  useUrlFilters,
} from '@slipway/design-system';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { SavedInsight } from '../api/InsightQuery';
import { useDeleteInsight, useInsight, useInsights } from '../insightQueries';
import { DEFAULTS, isReady } from '../insights/insightForm';
import { InsightForm } from '../insights/InsightForm';
import { InsightResult } from '../insights/InsightResult';
import { SaveDialog } from '../insights/SaveDialog';
import { currentQuery, searchOf } from '../insights/savedQuery';
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
  const saved = useOpened(project?.id);
  const values = {
    ...form.values,
    tests: testAccounts.isFiltered ? 'out' : 'in',
  };
  const { query, more } = currentQuery(values, saved?.query);
  const isAsked = more.length > 0 || isReady(values);
  const insight = useInsight<unknown>(isAsked ? project?.id : undefined, query);
  const [isSaving, setIsSaving] = useState(false);
  const marks = marksIn(project?.timeZone ?? 'UTC', useMarks(project?.id));
  return (
    <div className={styles.stack}>
      <InsightForm form={form} testAccounts={testAccounts} />
      <Panel
        title={saved?.name ?? t(`insight.kinds.${query.kind as 'TrendsQuery'}`)}
        action={
          <div className={styles.actions}>
            {project && saved?.may_change && (
              <DeleteInsight projectId={project.id} insight={saved} />
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

/** Returns the saved insight that the URL names. */
function useOpened(projectId: string | undefined): SavedInsight | undefined {
  const { values } = useUrlFilters({ insight: '' });
  const { data = [] } = useInsights(projectId);
  return data.find(({ id }) => id === values.insight);
}

/** Lists the saved insights as links. */
function SavedList({ projectId }: { projectId: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { pathname } = useLocation();
  const insights = useInsights(projectId).data ?? [];
  if (insights.length === 0) {
    return null;
  }
  return (
    <Panel title={t('insight.saved')}>
      <ul className={styles.links}>
        {insights.map(({ id, name, query }) => (
          <li key={id}>
            <Link
              to={
                pathname + searchOf(query, { project: projectId, insight: id })
              }
            >
              {name}
            </Link>
            <span className={styles.quiet}>
              {t(`insight.kinds.${query.kind as 'TrendsQuery'}`)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function DeleteInsight(props: { projectId: string; insight: SavedInsight }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, insight } = props;
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const remove = useDeleteInsight(projectId);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" variant="tertiary" onPress={() => setIsOpen(true)}>
        {t('insight.delete')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={t('insight.deleteTitle', { name: insight.name })}
        confirmLabel={t('insight.delete')}
        onConfirm={async () => {
          await remove.mutateAsync(insight);
          navigate(`${pathname}?project=${encodeURIComponent(projectId)}`);
        }}
      >
        {t('insight.deleteText')}
      </ConfirmDialog>
    </>
  );
}
