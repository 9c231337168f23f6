import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link, Select } from '@backstage/ui';
import { formatDuration, LoadingRows, Panel } from '@slipway/design-system';
import { Loaded } from '@slipway/app-react';
import type {
  BuildRef,
  TestOutcome,
  TestResult,
  TestSummary,
} from '../api/BuildsApi';
import { useTestHistory, useTests } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import styles from './Tests.module.css';

const OUTCOMES = ['failed', 'flaky', 'passed', 'skipped'] as const;
const PAGE = 50;
const MAX = 1_000;
/** Shorter durations are not shown. */
const NOTABLE_MS = 100;

/** Shows the test results of a build: failed tests first, each with its history. */
export function Tests(props: { build: BuildRef; summary: TestSummary }) {
  const { build, summary } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const [outcome, setOutcome] = useState<TestOutcome | ''>(
    summary.failed > 0 ? 'failed' : '',
  );
  const [limit, setLimit] = useState(PAGE);
  const query = useTests(build, {
    offset: 0,
    limit,
    ...(outcome && { outcome }),
  });
  const { total, failed, skipped } = summary;
  const counts = {
    total: String(failed > 0 ? total : total - skipped),
    failed: String(failed),
    skipped: String(skipped),
  };
  return (
    <Panel
      title={t('build.tests')}
      action={
        <div className={styles.filter}>
          <Select
            aria-label={t('tests.filter')}
            size="small"
            value={outcome || 'all'}
            onChange={key => {
              setOutcome(OUTCOMES.find(one => one === key) ?? '');
              setLimit(PAGE);
            }}
            options={[
              { id: 'all', label: t('tests.all') },
              ...OUTCOMES.map(id => ({ id, label: t(`tests.${id}`) })),
            ]}
          />
        </div>
      }
    >
      <p className={styles.counts}>
        {t(failed > 0 ? 'build.testsText' : 'build.testsPassed', counts)}
      </p>
      <Loaded
        query={query}
        failed={t('tests.loadFailed')}
        loading={<LoadingRows label={t('tests.loading')} />}
      >
        {({ tests, listed }) => {
          const isKept = listed > 0 || outcome !== 'failed';
          const shown = isKept ? tests : summary.failures.map(unkept);
          const known = isKept ? listed : shown.length;
          return (
            <>
              {shown.length === 0 && outcome !== '' && (
                <p className={styles.quiet}>{t('tests.none')}</p>
              )}
              <ul className={styles.list}>
                {shown.map((test, index) => (
                  // Test names need not be unique.
                  <li key={test.id || index}>
                    <Test
                      {...{ test, build }}
                      isOpen={index === 0 && test.outcome === 'failed'}
                    />
                  </li>
                ))}
              </ul>
              {known > shown.length && limit < MAX && (
                <Button
                  size="small"
                  variant="secondary"
                  onPress={() => setLimit(Math.min(MAX, limit * 4))}
                >
                  {t('tests.more', { left: String(known - shown.length) })}
                </Button>
              )}
              {outcome === 'failed' && failed > known && (
                <p className={styles.quiet}>
                  {t('build.testsMore', { shown: String(known) })}
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** Converts a failure of a build whose test results are not stored individually. */
function unkept(failure: TestSummary['failures'][number]): TestResult {
  return {
    ...failure,
    id: '',
    outcome: 'failed',
    durationMs: 0,
    isNew: false,
    isFlaky: false,
    failures: 0,
  };
}

/** Shows one test; expanded, with its message and history. */
function Test(props: { build: BuildRef; test: TestResult; isOpen: boolean }) {
  const { build, test } = props;
  const { id, suite, name, outcome, durationMs, message } = test;
  const { t } = useTranslationRef(buildsTranslationRef);
  const [isOpen, setIsOpen] = useState(props.isOpen);
  return (
    <details
      className={styles.test}
      open={isOpen}
      onToggle={event => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <span className={styles.outcome} data-outcome={outcome}>
          {t(`tests.${outcome}`)}
        </span>
        <span className={styles.name}>
          {name} <span className={styles.quiet}>{suite}</span>
        </span>
        {test.isNew && <span className={styles.mark}>{t('tests.new')}</span>}
        {test.isFlaky && outcome !== 'flaky' && (
          <span className={styles.mark} title={t('tests.flakyHint')}>
            {t('tests.flaky')}
          </span>
        )}
        {test.failures > 1 && (
          <span className={styles.quiet}>
            {t('tests.failures', { count: test.failures })}
          </span>
        )}
        {durationMs >= NOTABLE_MS && (
          <span className={styles.quiet}>{formatDuration(durationMs)}</span>
        )}
      </summary>
      {message && (
        // A scrollable region must be reachable by keyboard.
        <pre
          className={styles.message}
          role="region"
          aria-label={t('tests.message', { name })}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          {message}
        </pre>
      )}
      {isOpen && id !== '' && <History {...{ build, id }} />}
    </details>
  );
}

/**
 * Shows a test's outcomes in the newest builds, oldest first; each links to its build.
 */
function History({ build, id }: { build: BuildRef; id: string }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  return (
    <Loaded
      query={useTestHistory(build.job, id)}
      failed={t('tests.historyFailed')}
      loading={<LoadingRows label={t('tests.loading')} />}
    >
      {({ runs }) => (
        <div className={styles.history}>
          <span className={styles.quiet}>{t('tests.history')}</span>
          <ol className={styles.runs} aria-label={t('tests.history')}>
            {[...runs].reverse().map(run => {
              const words = `${run.job} #${run.number}: ${t(
                `tests.${run.outcome}`,
              )}, ${formatDuration(run.durationMs)}`;
              return (
                <li key={`${run.job} ${run.number}`}>
                  <Link
                    href={links.build(run.job, run.number)}
                    aria-label={words}
                    title={words}
                    className={styles.run}
                    data-outcome={run.outcome}
                  />
                </li>
              );
            })}
          </ol>
        </div>
      )}
    </Loaded>
  );
}
