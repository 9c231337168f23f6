import { type FormEvent, type ReactNode, useId, useRef } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select, TextAreaField } from '@backstage/ui';
import { useNames } from '../definitions/definitionQueries';
import { textLiteral } from '../filters/propertyFilters';
import { QueryFault } from '../pages/QueryFault';
import type { Draft } from '../pages/useDraft';
import {
  type TestAccountChoice,
  TestAccountSwitch,
} from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import { SqlReference } from './SqlReference';
import { EXAMPLES, placeIn, propertyInSql, takesFilters } from './sqlText';
import styles from '../analytics.module.css';

const EXAMPLE_NAMES = Object.keys(EXAMPLES) as (keyof typeof EXAMPLES)[];

/** An editor for a query in HogQL, which runs it on Run or Ctrl+Enter. */
export function SqlEditor(props: {
  projectId: string | undefined;
  draft: Draft;
  /** The query that ran last. */
  sql: string;
  isRunning: boolean;
  /** Why the service rejects this query. */
  error?: string;
  testAccounts: TestAccountChoice;
  onRun(text: string): void;
  onSave(text: string): void;
  /** Further actions. */
  children?: ReactNode;
}) {
  const { projectId, draft, sql, isRunning, error, testAccounts } = props;
  const { onRun, onSave, children } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { text, write } = draft;
  const isBlank = text.trim() === '';
  const field = useRef<HTMLDivElement>(null);
  const errorId = useId();
  const area = () => field.current?.querySelector('textarea');
  const goTo = (at: number) => {
    area()?.focus();
    area()?.setSelectionRange(at, at);
  };
  const insert = (name: string) => {
    const { selectionStart: start, selectionEnd: end } = area()!;
    write(text.slice(0, start) + name + text.slice(end));
    // Wait until the list has closed and returned the focus to its button.
    setTimeout(() => goTo(start + name.length));
  };
  const run = () => {
    if (!isBlank) {
      onRun(text);
    }
  };
  const runExample = (example: string) => {
    // The URL may already contain the example; then running it would not update the field.
    write(example);
    onRun(example);
  };
  return (
    <form
      className={styles.stack}
      role="search"
      onSubmit={(submit: FormEvent) => {
        submit.preventDefault();
        run();
      }}
    >
      <TextAreaField
        ref={field}
        className={styles.sql}
        label={t('sql.query')}
        description={t(testAccounts.isOffered ? 'sql.helpFilters' : 'sql.help')}
        placeholder="SELECT event, count() FROM events GROUP BY event"
        rows={Math.min(Math.max(text.split('\n').length + 1, 6), 20)}
        spellCheck="false"
        value={text}
        isInvalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        onChange={write}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            run();
          }
        }}
      />
      {error !== undefined && (
        <SqlError id={errorId} error={error} sql={sql} onGoTo={goTo} />
      )}
      <div className={styles.form}>
        <Button
          variant="primary"
          size="small"
          type="submit"
          isDisabled={isBlank}
          isPending={isRunning}
        >
          {t('query.run')}
        </Button>
        <Button
          variant="secondary"
          size="small"
          isDisabled={isBlank}
          onPress={() => onSave(text)}
        >
          {t('insight.save')}
        </Button>
        {children}
        <NameField projectId={projectId} onChoose={insert} />
        {takesFilters(text) && <TestAccountSwitch choice={testAccounts} />}
      </div>
      {isBlank && (
        <section className={styles.examples} aria-label={t('sql.examples')}>
          <h2 className={styles.heading}>{t('sql.examples')}</h2>
          {EXAMPLE_NAMES.map(name => (
            <Button
              key={name}
              variant="secondary"
              size="small"
              onPress={() => runExample(EXAMPLES[name])}
            >
              {t(`sql.example.${name}`)}
            </Button>
          ))}
        </section>
      )}
      <SqlReference />
    </form>
  );
}

/** Shows why a query is invalid, and lets the user move the cursor to the position of the error. */
function SqlError(props: {
  id: string;
  error: string;
  sql: string;
  onGoTo(at: number): void;
}) {
  const { id, error, sql, onGoTo } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const place = placeIn(error, sql);
  return (
    <QueryFault
      id={id}
      message={error}
      action={
        place && (
          <Button
            size="small"
            variant="secondary"
            onPress={() => onGoTo(place.at)}
          >
            {t('sql.goTo', {
              line: String(place.line),
              column: String(place.column),
            })}
          </Button>
        )
      }
    />
  );
}

/** Suggests the known events and properties, in HogQL's syntax. */
function NameField(props: {
  projectId: string | undefined;
  onChoose(name: string): void;
}) {
  const { projectId, onChoose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const sections = [
    {
      title: t('definitions.kinds.event'),
      names: useNames(projectId, 'event').map(textLiteral),
    },
    {
      title: t('definitions.kinds.event_property'),
      names: useNames(projectId, 'event_property').map(name =>
        propertyInSql(name),
      ),
    },
    {
      title: t('definitions.kinds.person'),
      names: useNames(projectId, 'person').map(name =>
        propertyInSql(name, 'person.'),
      ),
    },
  ].filter(({ names }) => names.length > 0);
  return (
    sections.length > 0 && (
      <Select
        className={styles.filter}
        aria-label={t('sql.insert')}
        placeholder={t('sql.insert')}
        size="small"
        search={{ placeholder: t('sql.searchNames') }}
        value={null}
        onChange={name => name !== null && onChoose(String(name))}
        options={sections.map(({ title, names }) => ({
          title,
          options: names.map(name => ({ value: name, label: name })),
        }))}
      />
    )
  );
}
