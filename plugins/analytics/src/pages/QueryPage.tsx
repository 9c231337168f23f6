import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ToggleButton, ToggleButtonGroup } from '@backstage/ui';
import { ReadFailure, useErrorWords } from '@slipway/app-react';
import { LoadingRows, useUrlFilters } from '@slipway/design-system';
import { useProject } from '../projectQueries';
import { useAnswer, useEventNames } from '../queries';
import { SqlQuery } from '../sql/SqlQuery';
import { useTestAccounts } from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import {
  DEFAULTS,
  type FormDrafts,
  QueryForm,
  useQueryForm,
} from './QueryForm';
import { isAboutQuery, QueryFault } from './QueryFault';
import { ResultPanel } from './ResultPanel';
import { useDraft } from './useDraft';

/** Runs queries over events, from a form or in HogQL; the URL contains the query. */
export function QueryPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { values, set } = useUrlFilters({
    ...DEFAULTS,
    language: 'form',
    sql: '',
  });
  // Kept here, so that drafts survive switching between form and HogQL.
  const sql = useDraft(values.sql);
  const columns = useDraft(values.columns);
  const where = useDraft(values.where);
  const language = values.language === 'sql' ? 'sql' : 'form';
  return (
    <>
      <ToggleButtonGroup
        aria-label={t('query.language')}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[language]}
        onSelectionChange={([chosen]) => set('language', String(chosen))}
      >
        <ToggleButton id="form" size="small">
          {t('query.languages.form')}
        </ToggleButton>
        <ToggleButton id="sql" size="small">
          {t('query.languages.sql')}
        </ToggleButton>
      </ToggleButtonGroup>
      {language === 'sql' ? (
        <SqlQuery draft={sql} />
      ) : (
        <FormQuery drafts={{ columns, where }} />
      )}
    </>
  );
}

/** Runs the queries of a form. */
function FormQuery({ drafts }: { drafts: FormDrafts }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const errorWords = useErrorWords();
  const { project } = useProject();
  const testAccounts = useTestAccounts(project);
  const { filters, query } = useQueryForm(testAccounts.isFiltered);
  const names = useEventNames(project?.id);
  const { data, error, isPending, isFetching, refetch } = useAnswer(
    project?.id,
    query,
  );
  return (
    <>
      <QueryForm
        filters={filters}
        drafts={drafts}
        names={names.data ?? []}
        testAccounts={testAccounts}
        isRunning={isFetching}
        onRun={() => refetch()}
      />
      {isPending && <LoadingRows label={t('query.loading')} rows={6} />}
      {error && isAboutQuery(error) && (
        <QueryFault message={errorWords(error)} />
      )}
      {error && !isAboutQuery(error) && (
        <ReadFailure
          title={t('query.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      <ResultPanel
        title={t('query.result')}
        answer={error ? undefined : data}
        more={t('query.more')}
        empty={t('query.emptyDescription')}
      />
    </>
  );
}
