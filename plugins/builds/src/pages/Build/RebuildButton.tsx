import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Tooltip, TooltipTrigger } from '@backstage/ui';
import { RiRestartLine } from '@remixicon/react';
import { useNavigate } from 'react-router-dom';
import { SendFailure } from '@slipway/app-react';
import type { BuildRef } from '../../api/BuildsApi';
import { useRebuild } from '../../data/useActions';
import { useLinks } from '../../data/useLinks';
import { buildsTranslationRef } from '../../translation';

/** Queues what a build is of again, and leads to the new build. */
export function RebuildButton({ build }: { build: BuildRef }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const navigate = useNavigate();
  const links = useLinks();
  const { mutate, isPending, error } = useRebuild();
  const names = { job: build.job, number: String(build.number) };
  const onPress = () =>
    mutate(build, {
      onSuccess: item => navigate(links.build(build.job, item.buildNumber)),
    });
  return (
    <>
      {error && (
        <SendFailure title={t('build.rebuildFailed', names)} error={error} />
      )}
      <TooltipTrigger>
        <Button
          variant="secondary"
          iconStart={<RiRestartLine />}
          isPending={isPending}
          onPress={onPress}
        >
          {t('build.rebuild')}
        </Button>
        <Tooltip>{t('build.rebuildHint')}</Tooltip>
      </TooltipTrigger>
    </>
  );
}
