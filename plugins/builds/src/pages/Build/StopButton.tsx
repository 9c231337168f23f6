import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiStopCircleLine } from '@remixicon/react';
import { useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import type { BuildRef } from '../../api/BuildsApi';
import { useStopBuild } from '../../data/useActions';
import { buildsTranslationRef } from '../../translation';

/** Ends a build that runs, once that was confirmed. */
export function StopButton({ build }: { build: BuildRef }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const { mutateAsync, isSuccess } = useStopBuild();
  const names = { job: build.job, number: String(build.number) };
  return (
    <>
      <Button
        variant="secondary"
        iconStart={<RiStopCircleLine />}
        isDisabled={isSuccess}
        onPress={() => setIsAsking(true)}
      >
        {t(isSuccess ? 'build.stopping' : 'build.stop')}
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
