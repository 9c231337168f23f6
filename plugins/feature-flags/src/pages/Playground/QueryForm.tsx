import { type FormEvent, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  Checkbox,
  CheckboxGroup,
  Select,
  TextAreaField,
  TextField,
} from '@backstage/ui';
import { Panel } from '@slipway/design-system';
import type { ContextField, Environment, Project } from '../../api/registers';
import { flagsTranslationRef } from '../../translation';
import styles from './Playground.module.css';

/** The fields of the form, as texts for the URL. */
export interface Question {
  /** The id of a project; empty for all. */
  project: string;
  /** Names, separated by commas. */
  environments: string;
  userId: string;
  /** `name=value`, one per line. */
  fields: string;
}

/** The option for all projects; Select does not allow an item with an empty key. */
const ALL = '*';
/** Maximum number of legal values of a field that are listed. */
const MOST_LISTED = 5;

/** A form for the flags, environments and contexts, which are evaluated when it is submitted. */
export function QueryForm(props: {
  /** The fields in the URL. */
  asked: Question;
  environments: readonly Environment[];
  projects: readonly Project[];
  /** The fields that contexts can have. */
  contextFields: readonly ContextField[];
  isEvaluating: boolean;
  onSubmit(question: Question): void;
}) {
  const { asked, environments, projects, contextFields } = props;
  const { isEvaluating, onSubmit } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  // Undefined until something is changed, so that the form follows the URL.
  const [draft, setDraft] = useState<Question>();
  const question = draft ?? {
    ...asked,
    environments:
      asked.environments || environments.map(({ name }) => name).join(','),
  };
  const change = (changes: Partial<Question>) =>
    setDraft({ ...question, ...changes });
  const chosen = namesIn(question.environments);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(question);
    setDraft(undefined);
  };
  const names = contextFields
    .filter(({ name }) => name !== 'userId')
    .map(({ name, legalValues }) =>
      legalValues.length === 0 || legalValues.length > MOST_LISTED
        ? name
        : `${name} (${legalValues.map(({ value }) => value).join(', ')})`,
    );
  return (
    <Panel title={t('evaluation.title')}>
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.fields}>
          <div className={styles.stack}>
            {projects.length > 1 && (
              <Select
                label={t('evaluation.project')}
                value={question.project || ALL}
                onChange={key =>
                  change({ project: key === ALL ? '' : String(key) })
                }
                options={[
                  { id: ALL, label: t('evaluation.anyProject') },
                  ...projects.map(({ id, name }) => ({ id, label: name })),
                ]}
              />
            )}
            <CheckboxGroup
              label={t('evaluation.environments')}
              orientation="horizontal"
              value={chosen}
              onChange={values =>
                change({
                  environments: environments
                    .map(({ name }) => name)
                    .filter(name => values.includes(name))
                    .join(','),
                })
              }
            >
              {environments.map(({ name }) => (
                <Checkbox key={name} value={name}>
                  {name}
                </Checkbox>
              ))}
            </CheckboxGroup>
          </div>
          <TextField
            label={t('evaluation.users')}
            description={t('evaluation.usersHelp')}
            value={question.userId}
            onChange={userId => change({ userId })}
          />
          <TextAreaField
            label={t('evaluation.fields')}
            description={[
              t('evaluation.fieldsHelp'),
              names.length > 0 &&
                t('evaluation.fieldsKnown', { names: names.join(', ') }),
            ]
              .filter(Boolean)
              .join(' ')}
            rows={2}
            value={question.fields}
            onChange={fields => change({ fields })}
          />
        </div>
        <div>
          <Button
            type="submit"
            variant="primary"
            isDisabled={chosen.length === 0}
            isPending={isEvaluating}
          >
            {t('evaluation.submit')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** Splits a list of names that are separated by commas. */
export function namesIn(list: string): string[] {
  return list.split(',').filter(name => name !== '');
}
