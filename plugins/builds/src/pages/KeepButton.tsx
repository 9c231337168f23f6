import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonIcon, TextField, Tooltip, TooltipTrigger } from '@backstage/ui';
import { RiLockLine, RiLockUnlockLine } from '@remixicon/react';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import { ConfirmDialog, DialogForm, OpenDialog } from '@slipway/design-system';
import type { BuildDetails, BuildRef } from '../api/BuildsApi';
import { useKeepBuild } from '../queries';
import { buildsTranslationRef } from '../translation';
import styles from '../run/run.module.css';

/** The longest reason that the build server accepts. */
const MAX_REASON = 500;

/** Button that keeps a build, with a reason, or stops keeping it. */
export function KeepButton(props: {
  build: BuildRef;
  details: BuildDetails;
  /** True if its job is that of a branch or pull request. */
  isOfBranch: boolean;
}) {
  const { build, details, isOfBranch } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  // The open dialog: the build may change while it is open.
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
        <KeepDialog build={build} isOfBranch={isOfBranch} onClose={close} />
      )}
    </>
  );
}

function KeepDialog(props: {
  build: BuildRef;
  isOfBranch: boolean;
  onClose(): void;
}) {
  const { build, isOfBranch, onClose } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { mutate, isPending, error } = useKeepBuild(build);
  const [reason, setReason] = useState('');
  const names = { job: build.job, number: String(build.number) };
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
          {isOfBranch && ` ${t('build.keepTextBranch')}`}
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
