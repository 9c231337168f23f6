import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { JobSummary } from '../../api/types';
import { buildsTranslationRef } from '../../translation';
import styles from './Jobs.module.css';

const HEIGHT_PX = 20;
const LEAST_PX = 4;

/** The last ten builds as bars: height is duration, colour and pattern the result. */
export function RecentBuilds({ job }: { job: JobSummary }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const builds = [...job.recentBuilds].reverse();
  const longest = Math.max(1, ...builds.map(({ elapsed }) => elapsed));
  const words = builds
    .map(
      ({ number, result }) =>
        `#${number} ${t(`result.${result ?? 'running'}`)}`,
    )
    .join(', ');
  return (
    <span
      className={styles.recent}
      role="img"
      aria-label={words || t('jobs.noBuilds')}
      title={words}
    >
      {builds.map(({ number, result, elapsed }) => (
        <span
          key={number}
          data-result={result ?? 'running'}
          style={{
            height: Math.max(LEAST_PX, (elapsed / longest) * HEIGHT_PX),
          }}
        />
      ))}
    </span>
  );
}
