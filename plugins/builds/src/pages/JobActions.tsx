import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button } from '@backstage/ui';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import type { JobDetails } from '../api/BuildsApi';
import { useSetJobEnabled } from '../queries';
import { RunButton } from '../run/RunDialog';
import { buildsTranslationRef } from '../translation';

/** Buttons that run, disable and enable a job. */
export function JobActions({ job }: { job: JobDetails }) {
  const isDisabled = job.disabledBy !== null;
  return (
    <>
      {/* A branch is disabled and enabled with its job. */}
      {job.manageable &&
        job.parent === null &&
        (isDisabled ? <EnableButton job={job} /> : <DisableButton job={job} />)}
      <RunButton job={job} />
    </>
  );
}

/** Says who disabled a job. */
export function JobDisabled({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  return job.disabledBy === null ? null : (
    <Alert
      status="warning"
      icon
      title={t('job.disabledTitle', {
        by: job.disabledBy.replace(/^(?:user:default\/|token:)/, ''),
      })}
      description={t('job.disabledText')}
    />
  );
}

/** Says that the last push was not built, and why. */
export function JobSkipped({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { skipped } = job;
  if (skipped === null) {
    return null;
  }
  const { commit, ref, title } = skipped;
  // A payload may name neither.
  const at = [ref?.replace(/^refs\/(?:heads\/)?/, ''), commit?.slice(0, 10)]
    .filter(Boolean)
    .join(' ');
  return (
    <Alert
      status="info"
      icon
      title={t('job.skippedTitle')}
      description={
        at === ''
          ? t('job.skippedText', { title })
          : t('job.skippedTextAt', { title, at })
      }
    />
  );
}

function EnableButton({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { mutate, isPending, error } = useSetJobEnabled(job.name);
  return (
    <>
      {error && (
        <SendFailure
          title={t('job.enableFailed', { job: job.name })}
          error={error}
        />
      )}
      <Button
        variant="secondary"
        isPending={isPending}
        onPress={() => mutate(true)}
      >
        {t('job.enable')}
      </Button>
    </>
  );
}

function DisableButton({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const { mutateAsync } = useSetJobEnabled(job.name);
  return (
    <>
      <Button variant="secondary" onPress={() => setIsAsking(true)}>
        {t('job.disable')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('job.disableTitle', { job: job.name })}
        confirmLabel={t('job.disable')}
        describeError={errorWords}
        onConfirm={() => mutateAsync(false)}
      >
        {t('job.disableText')}
      </ConfirmDialog>
    </>
  );
}
