import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ToggleButton, ToggleButtonGroup } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, useUrlFilters } from '@slipway/design-system';
import { useProject } from '../projectQueries';
import { useAnswer, useEventNames } from '../queries';
import { SqlQuery } from '../sql/SqlQuery';
import { useTestAccounts } from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import { QueryForm, useQueryForm } from './QueryForm';
import { ResultPanel } from './ResultPanel';

/** Runs queries over events, from a form or in HogQL; the URL holds the query. */
export function QueryPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { values, set } = useUrlFilters({ language: 'form' });
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
      {language === 'sql' ? <SqlQuery /> : <FormQuery />}
    </>
  );
}

/** Runs the queries of a form. */
function FormQuery() {
  const { t } = useTranslationRef(analyticsTranslationRef);
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
        names={names.data ?? []}
        testAccounts={testAccounts}
        isRunning={isFetching}
        onRun={() => refetch()}
      />
      {isPending && <LoadingRows label={t('query.loading')} rows={6} />}
      {error && (
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
