import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  ButtonIcon,
  Link,
  TextField,
  Tooltip,
  TooltipTrigger,
} from '@backstage/ui';
import { RiLockLine, RiLockUnlockLine } from '@remixicon/react';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import { ConfirmDialog, DialogForm, OpenDialog } from '@slipway/design-system';
import type { BuildDetails, BuildRef, JobDetails } from '../api/BuildsApi';
import { useKeepBuild } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import styles from '../run/run.module.css';

/** The longest reason that the build server accepts. */
const MAX_REASON = 500;

/** Button that keeps a build, with a reason, or stops keeping it. */
export function KeepButton(props: {
  build: BuildRef;
  details: BuildDetails;
  /** See `useJobOfBuild`. */
  job: JobDetails;
}) {
  const { build, details, job } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  // The open dialog, stored because the build may change while it is open.
  const [asked, setAsked] = useState<'keep' | 'stop'>();
  const close = () => setAsked(undefined);
  const { mutateAsync } = useKeepBuild(build);
  const errorWords = useErrorWords();
  const isKept = details.kept !== null;
  const label = t(isKept ? 'build.stopKeeping' : 'build.keep');
  return (
    <>
      <TooltipTrigger>
        <ButtonIcon
          variant="secondary"
          icon={isKept ? <RiLockUnlockLine /> : <RiLockLine />}
          aria-label={label}
          onPress={() => setAsked(isKept ? 'stop' : 'keep')}
        />
        <Tooltip>{label}</Tooltip>
      </TooltipTrigger>
      <ConfirmDialog
        isOpen={asked === 'stop'}
        onOpenChange={close}
        title={t('build.stopKeepingTitle', {
          job: build.job,
          number: String(build.number),
        })}
        confirmLabel={t('build.stopKeeping')}
        describeError={errorWords}
        onConfirm={() => mutateAsync({ isKept: false, reason: '' })}
      >
        {t('build.stopKeepingText')}
      </ConfirmDialog>
      {asked === 'keep' && (
        <KeepDialog build={build} job={job} onClose={close} />
      )}
    </>
  );
}

function KeepDialog(props: {
  build: BuildRef;
  job: JobDetails;
  onClose(): void;
}) {
  const { build, job, onClose } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const { mutate, isPending, error } = useKeepBuild(build);
  const [reason, setReason] = useState('');
  const names = { job: build.job, number: String(build.number) };
  const counts = {
    kept: String(job.keptCount),
    most: String(job.maxKeptBuilds),
  };
  const isFull = job.keptCount >= job.maxKeptBuilds;
  return (
    <OpenDialog title={t('build.keepTitle', names)} onClose={onClose}>
      <DialogForm
        submitLabel={t('build.keep')}
        isPending={isPending}
        onSubmit={() =>
          mutate(
            { isKept: true, reason: reason.trim() },
            { onSuccess: onClose },
          )
        }
      >
        <p className={styles.intro}>
          {t('build.keepText')}
          {job.parent !== null && ` ${t('build.keepTextBranch')}`}
        </p>
        <p className={styles.intro}>
          {t(isFull ? 'build.keepFull' : 'build.keepCount', counts)}{' '}
          {isFull && (
            <Link href={`${links.job(job.name)}?kept=yes`}>
              {t('build.keepFullLink', { job: job.name })}
            </Link>
          )}
        </p>
        {error && (
          <SendFailure title={t('build.keepFailed', names)} error={error} />
        )}
        <TextField
          label={t('build.keepReason')}
          maxLength={MAX_REASON}
          value={reason}
          onChange={setReason}
        />
      </DialogForm>
    </OpenDialog>
  );
}
