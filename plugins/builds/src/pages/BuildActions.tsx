import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  ButtonIcon,
  ButtonLink,
  Tooltip,
  TooltipTrigger,
} from '@backstage/ui';
import {
  RiArrowLeftSLine,
  RiArrowRightSLine,
  RiEqualizerLine,
  RiRestartLine,
  RiStopCircleLine,
} from '@remixicon/react';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import type {
  BuildDetails,
  BuildRef,
  JobDetails,
  RebuildOptions,
} from '../api/BuildsApi';
import { useRebuild, useStopBuild } from '../queries';
import { useLinks } from '../routes';
import { RunDialog } from '../run/RunDialog';
import { buildsTranslationRef } from '../translation';
import styles from './BuildPage.module.css';
import { DescribeButton } from './DescribeButton';
import { KeepButton } from './KeepButton';

/** Links to the previous and next build, and the actions on this one. */
export function BuildActions(props: {
  build: BuildRef;
  details: BuildDetails;
  /** See `useJobOfBuild`. */
  job: JobDetails;
}) {
  const { build, details, job } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const key = `${build.job} ${build.number}`;
  // True if the job of a branch or pull request is gone; `job` is then that of its repository.
  const isGone = job.name !== build.job;
  const numbers = isGone ? [] : job.builds.map(({ number }) => number);
  // Newest first; numbers may be missing.
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
      {/* The builds of a branch that is gone are deleted with it. */}
      {job.triggerable && (!isGone || details.kept !== null) && (
        <KeepButton
          key={`keep ${key}`}
          build={build}
          details={details}
          job={job}
        />
      )}
      {job.triggerable && (
        <DescribeButton key={`name ${key}`} build={build} details={details} />
      )}
      {job.triggerable &&
        (details.building ? (
          <StopButton key={key} build={build} isStopping={!details.stoppable} />
        ) : (
          !isGone && <RebuildButtons key={key} {...{ build, details, job }} />
        ))}
    </div>
  );
}

/** Stops a running build after confirmation, unless someone already has. */
function StopButton(props: { build: BuildRef; isStopping: boolean }) {
  const { build } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const { mutateAsync, isSuccess } = useStopBuild();
  const isStopping = isSuccess || props.isStopping;
  const names = { job: build.job, number: String(build.number) };
  return (
    <>
      <Button
        variant="secondary"
        iconStart={<RiStopCircleLine />}
        isDisabled={isStopping}
        onPress={() => setIsAsking(true)}
      >
        {t(isStopping ? 'build.stopping' : 'build.stop')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('build.stopTitle', names)}
        confirmLabel={t('build.stop')}
        describeError={errorWords}
        onConfirm={() => mutateAsync(build)}
      >
        {t('build.stopText')}
      </ConfirmDialog>
    </>
  );
}

/** Runs a build again, completely or in part, and navigates to the new build. */
function RebuildButtons(props: {
  build: BuildRef;
  details: BuildDetails;
  job: JobDetails;
}) {
  const { build, details, job } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const navigate = useNavigate();
  const links = useLinks();
  const { mutate, isPending, error } = useRebuild();
  const [isEditing, setIsEditing] = useState(false);
  const names = { job: build.job, number: String(build.number) };
  const run = (how: RebuildOptions) =>
    mutate(
      { ...build, ...how },
      {
        onSuccess: item => navigate(links.build(build.job, item.buildNumber)),
      },
    );
  const hasFailed = details.steps.some(({ state }) => state === 'failed');
  const hasPassed = details.steps.some(({ state }) => state === 'done');
  const isPartly = hasFailed && hasPassed;
  const hasParameters = job.parameterDefinitions.length > 0;
  return (
    <>
      {error && (
        <SendFailure title={t('build.rebuildFailed', names)} error={error} />
      )}
      {isPartly && (
        <TooltipTrigger>
          <Button
            variant="secondary"
            iconStart={<RiRestartLine />}
            isPending={isPending}
            onPress={() => run({ only: 'failed' })}
          >
            {t('build.rebuildPart')}
          </Button>
          <Tooltip>{t('build.rebuildPartHint')}</Tooltip>
        </TooltipTrigger>
      )}
      <TooltipTrigger>
        <Button
          variant="secondary"
          iconStart={isPartly ? undefined : <RiRestartLine />}
          isPending={isPending}
          onPress={() => run({})}
        >
          {t('build.rebuild')}
        </Button>
        <Tooltip>{t('build.rebuildHint')}</Tooltip>
      </TooltipTrigger>
      {hasParameters && (
        <TooltipTrigger>
          <ButtonIcon
            variant="secondary"
            icon={<RiEqualizerLine />}
            aria-label={t('build.rebuildEdited')}
            onPress={() => setIsEditing(true)}
          />
          <Tooltip>{t('build.rebuildEdited')}</Tooltip>
        </TooltipTrigger>
      )}
      {isEditing && (
        <RunDialog
          job={job}
          again={{ build, parameters: details.parameters }}
          onClose={() => setIsEditing(false)}
        />
      )}
    </>
  );
}
