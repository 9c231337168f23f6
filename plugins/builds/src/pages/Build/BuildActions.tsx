import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { RiArrowLeftSLine, RiArrowRightSLine } from '@remixicon/react';
import type { BuildRef } from '../../api/BuildsApi';
import type { BuildDetails, JobDetails } from '../../api/types';
import { useLinks } from '../../data/useLinks';
import { buildsTranslationRef } from '../../translation';
import { RebuildButton } from './RebuildButton';
import { StopButton } from './StopButton';
import styles from './Build.module.css';

/** The way to the builds before and after, and what may be done about this one. */
export function BuildActions(props: {
  build: BuildRef;
  details: BuildDetails;
  /** Missing until it is read. */
  job: JobDetails | undefined;
}) {
  const { build, details, job } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  if (!job) {
    return null;
  }
  const numbers = job.builds.map(({ number }) => number);
  // Newest first, and not every number is there.
  const previous = numbers.find(number => number < build.number);
  const next = numbers.findLast(number => number > build.number);
  return (
    <div className={styles.actions}>
      <nav className={styles.actions} aria-label={t('build.neighbours')}>
        {previous !== undefined && (
          <ButtonLink
            variant="tertiary"
            iconStart={<RiArrowLeftSLine />}
            aria-label={t('build.previous', { number: String(previous) })}
            href={links.build(build.job, previous)}
          >
            #{previous}
          </ButtonLink>
        )}
        {next !== undefined && (
          <ButtonLink
            variant="tertiary"
            iconEnd={<RiArrowRightSLine />}
            aria-label={t('build.next', { number: String(next) })}
            href={links.build(build.job, next)}
          >
            #{next}
          </ButtonLink>
        )}
      </nav>
      {job.triggerable &&
        (details.building ? (
          <StopButton build={build} />
        ) : (
          <RebuildButton key={build.number} build={build} />
        ))}
    </div>
  );
}
