import { useEffect, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  EmptyState,
  ListAndPanel,
  LoadingBlock,
  Panel,
  useUrlFilters,
} from '@slipway/design-system';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import type { Project } from '../api/EventsApi';
import { hasForm, isHogql, type SavedInsight } from '../api/InsightQuery';
import { useInsight } from '../insightQueries';
import {
  DEFAULTS,
  type Form,
  type FormValues,
  isReady,
} from '../insights/insightForm';
import { InsightForm } from '../insights/InsightForm';
import { InsightResult } from '../insights/InsightResult';
import { AddToDashboard } from '../insights/AddToDashboard';
import { SaveDialog } from '../insights/SaveDialog';
import { DeleteInsight } from '../insights/DeleteSaved';
import { SavedList, useOpened } from '../insights/SavedInsights';
import {
  addressOf,
  currentQuery,
  isQueryOf,
  valuesOf,
} from '../insights/savedQuery';
import { SavedResult } from '../insights/SavedResult';
import { useActorsPanel } from '../insights/useActorsPanel';
import { AnnotationPanel } from '../marks/AnnotationPanel';
import { marksIn, useMarks } from '../marks/useMarks';
import { useProject } from '../projectQueries';
import { useTestAccounts } from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** Shows an insight; the URL contains its query, and its id if it is saved. */
export function InsightsPage() {
  const { project } = useProject();
  const { opened, isOpening } = useOpened(project?.id);
  if (project && opened && isHogql(opened.query)) {
    const more = { project: project.id, insight: opened.id };
    return <Navigate replace to={addressOf(opened.query, more)} />;
  }
  if (project && opened && !hasForm(opened.query)) {
    return <SavedResult projectId={project.id} insight={opened} />;
  }
  return (
    <BuiltInsight project={project} saved={opened} isOpening={isOpening} />
  );
}

/** The form that builds the query of an insight, and its result. */
function BuiltInsight(props: {
  project: Project | undefined;
  saved: SavedInsight | undefined;
  /** True while the saved insight is being loaded. */
  isOpening: boolean;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project, saved, isOpening } = props;
  const form = useUrlFilters(DEFAULTS);
  const isFilled = useFilledForm(form, saved);
  const testAccounts = useTestAccounts(project);
  const values = {
    ...form.values,
    tests: testAccounts.isFiltered ? 'out' : 'in',
  };
  const base = useBase(values, saved);
  const { query, more } = currentQuery(values, base?.query);
  const isAsked = more.length > 0 || isReady(values);
  const insight = useInsight<unknown>(
    isAsked && isFilled && !isOpening ? project?.id : undefined,
    query,
  );
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [isSaving, setIsSaving] = useState(false);
  const marks = marksIn(project?.timeZone ?? 'UTC', useMarks(project?.id));
  const isCurrent = isAsked && isFilled && !isOpening && project !== undefined;
  const people = useActorsPanel(project, isCurrent ? query : undefined);
  return (
    <div className={styles.stack}>
      <InsightForm form={form} testAccounts={testAccounts} />
      <ListAndPanel panel={people.panel}>
        <Panel
          title={
            saved?.name ?? t(`insight.kinds.${query.kind as 'TrendsQuery'}`)
          }
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
              {project && saved && (
                <AddToDashboard projectId={project.id} insight={saved} />
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
              loading={
                <LoadingBlock label={t('trends.loading')} height={240} />
              }
            >
              {results => (
                <InsightResult
                  query={query}
                  results={results}
                  marks={marks}
                  peopleLink={people.peopleLink}
                />
              )}
            </Loaded>
          ) : (
            <EmptyState
              title={t('trends.ofMissingTitle')}
              description={t('trends.ofMissingDescription')}
            />
          )}
        </Panel>
      </ListAndPanel>
      {project && <AnnotationPanel projectId={project.id} />}
      {project && <SavedList projectId={project.id} />}
      {project && isSaving && (
        <SaveDialog
          projectId={project.id}
          query={query}
          opened={base?.may_change ? base : undefined}
          onClose={() => setIsSaving(false)}
        />
      )}
    </div>
  );
}

/**
 * Fills the form with the query of a saved insight if the URL contains only the insight's
 * id, as in links from the palette and from programs. Returns false until it is filled.
 */
function useFilledForm(form: Form, saved: SavedInsight | undefined): boolean {
  const { isActive, setAll } = form;
  useEffect(() => {
    if (saved && !isActive) {
      // These values are never all defaults, as they include the choice about test accounts.
      setAll(valuesOf(saved.query));
    }
  }, [saved, isActive, setAll]);
  return !saved || isActive;
}

/**
 * Returns the version of the saved insight that the form is based on. If others save the
 * insight in the meantime, this remains the opened version, so that saving the form does
 * not overwrite theirs.
 */
function useBase(
  values: FormValues,
  saved: SavedInsight | undefined,
): SavedInsight | undefined {
  const [base, setBase] = useState(saved);
  const isSame = base !== undefined && base.id === saved?.id;
  const current = isSame && !isQueryOf(values, saved.query) ? base : saved;
  if (current !== base) {
    setBase(current);
  }
  return current;
}
