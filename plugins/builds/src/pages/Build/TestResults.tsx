import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Panel } from '@slipway/design-system';
import type { TestSummary } from '../../api/types';
import { buildsTranslationRef } from '../../translation';
import styles from './Build.module.css';

/** What tests came to; those that failed by name. */
export function TestResults({ tests }: { tests: TestSummary }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { total, failed, skipped, failures } = tests;
  const counts = {
    total: String(total),
    failed: String(failed),
    skipped: String(skipped),
  };
  return (
    <Panel title={t('build.tests')}>
      <p className={styles.counts}>
        {failed > 0
          ? t('build.testsText', counts)
          : t('build.testsPassed', {
              ...counts,
              total: String(total - skipped),
            })}
      </p>
      {failures.length > 0 && (
        <ul className={styles.list}>
          {failures.map(({ suite, name, message }, index) => (
            // Names of tests need not be unique.
            <li key={index}>
              <details>
                <summary>
                  {name} <span className={styles.quiet}>{suite}</span>
                </summary>
                <pre className={styles.message}>{message}</pre>
              </details>
            </li>
          ))}
        </ul>
      )}
      {failed > failures.length && (
        <p className={styles.quiet}>
          {t('build.testsMore', { shown: String(failures.length) })}
        </p>
      )}
    </Panel>
  );
}
