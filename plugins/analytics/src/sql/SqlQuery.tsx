import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure, useErrorWords } from '@slipway/app-react';
import { LoadingRows, useUrlFilters } from '@slipway/design-system';
import { isHogql } from '../api/InsightQuery';
import { AddToDashboard } from '../insights/AddToDashboard';
import { SaveDialog } from '../insights/SaveDialog';
import { DeleteInsight } from '../insights/DeleteSaved';
import { SavedList, useOpened } from '../insights/SavedInsights';
import { isAboutQuery } from '../pages/QueryFault';
import { ResultPanel } from '../pages/ResultPanel';
import type { Draft } from '../pages/useDraft';
import { useProject } from '../projectQueries';
import { useAnswer } from '../queries';
import { useTestAccounts } from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import { SqlEditor } from './SqlEditor';
import { sqlQueryOf } from './sqlText';

/** Runs queries in HogQL; the URL contains the query, and its id if it is saved. */
export function SqlQuery({ draft }: { draft: Draft }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const errorWords = useErrorWords();
  const { project } = useProject();
  const { values, set, setAll } = useUrlFilters({ sql: '', insight: '' });
  const { sql } = values;
  const testAccounts = useTestAccounts(project);
  const { opened, isOpening } = useOpened(project?.id);
  const savedQuery = opened && isHogql(opened.query) ? opened.query : undefined;
  const saved = savedQuery && opened;
  const [saving, setSaving] = useState<string>();
  const queryOf = (text: string) =>
    sqlQueryOf(text, {
      saved: savedQuery,
      filterTestAccounts: testAccounts.isFiltered,
    });
  const answer = useAnswer(
    project?.id,
    // A saved query may have filters and values in addition to its text.
    sql && !isOpening ? queryOf(sql) : undefined,
  );
  const { data, error, isFetching, refetch } = answer;
  const isRejected = isAboutQuery(error);
  return (
    <>
      <SqlEditor
        projectId={project?.id}
        draft={draft}
        sql={sql}
        isRunning={isFetching}
        error={isRejected ? errorWords(error) : undefined}
        testAccounts={testAccounts}
        onRun={text => (text === sql ? refetch() : set('sql', text))}
        onSave={setSaving}
      >
        {project && saved?.may_change && (
          <DeleteInsight
            projectId={project.id}
            insight={saved}
            onDeleted={() => setAll({ sql: '', insight: '' })}
          />
        )}
        {project && saved && (
          <AddToDashboard projectId={project.id} insight={saved} />
        )}
      </SqlEditor>
      {isFetching && !data && (
        <LoadingRows label={t('query.loading')} rows={6} />
      )}
      {error && !isRejected && (
        <ReadFailure
          title={t('query.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      <ResultPanel
        // An edited query has the saved name only once it is saved.
        title={savedQuery?.query === sql ? saved!.name : t('query.result')}
        answer={error ? undefined : data}
        more={t('sql.more')}
        empty={t('sql.empty')}
      />
      {project && <SavedList projectId={project.id} />}
      {project && saving !== undefined && (
        <SaveDialog
          projectId={project.id}
          query={queryOf(saving)}
          opened={saved?.may_change ? saved : undefined}
          onClose={() => setSaving(undefined)}
        />
      )}
    </>
  );
}
