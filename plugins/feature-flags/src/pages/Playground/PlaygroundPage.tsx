import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded } from '@slipway/app-react';
import { EmptyState, LoadingRows, useUrlFilters } from '@slipway/design-system';
import type { TableQuery } from '../../api/playground';
import { readFields, useFlagTable } from '../../queries/playground';
import {
  useAllEnvironments,
  useContextFields,
  useProjects,
} from '../../queries/registers';
import { flagsTranslationRef } from '../../translation';
import { namesIn, type Question, QueryForm } from './QueryForm';
import { Results } from './Results';
import styles from './Playground.module.css';

const NO_QUESTION: Question = {
  project: '',
  environments: '',
  userId: '',
  fields: '',
};

/**
 * The playground of all flags: a form, the results as a table, and a panel that explains one of them.
 * Everything is in the URL, so that it can be shared and saved.
 */
export function PlaygroundPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { values, setAll } = useUrlFilters(
    { ...NO_QUESTION, at: '', columns: '' },
    { addsHistory: true },
  );
  const { project, environments, userId, fields } = values;
  const asked = { project, environments, userId, fields };
  const query = queryOf(asked);
  const table = useFlagTable(query);
  const registers = useRegisters();
  const onSubmit = (question: Question) => {
    const isSame = Object.entries(question).every(
      ([key, value]) => asked[key as keyof Question] === value,
    );
    if (isSame) {
      void table.refetch();
    } else {
      // The previous choice of columns does not apply to the new ones.
      setAll({ ...question, at: '', columns: '' });
    }
  };
  return (
    <div className={styles.stack}>
      <Loaded
        query={registers}
        failed={t('evaluation.formFailed')}
        loading={<LoadingRows label={t('evaluation.formLoading')} rows={4} />}
      >
        {known => (
          <>
            <QueryForm
              {...known}
              asked={asked}
              isEvaluating={table.isFetching}
              onSubmit={onSubmit}
            />
            {query ? (
              <Results query={table} />
            ) : (
              <EmptyState
                title={t('evaluation.startTitle')}
                description={t('evaluation.startDescription')}
              />
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Reads the options of the form together, so that nothing on it moves later. */
function useRegisters() {
  const environments = useAllEnvironments();
  const projects = useProjects();
  const contextFields = useContextFields();
  const all = [environments, projects, contextFields];
  return {
    data: environments.data &&
      projects.data &&
      contextFields.data && {
        environments: environments.data,
        projects: projects.data,
        contextFields: contextFields.data,
      },
    error: all.find(({ error }) => error)?.error ?? null,
    refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
  };
}

/** Returns the query for the form's fields; undefined until environments are chosen. */
function queryOf(question: Question): TableQuery | undefined {
  const { project, userId, fields } = question;
  const environments = namesIn(question.environments);
  return environments.length === 0
    ? undefined
    : {
        environments,
        projects: [project || '*'],
        context: { ...readFields(fields), ...(userId && { userId }) },
      };
}
