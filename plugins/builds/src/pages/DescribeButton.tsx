import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  ButtonIcon,
  TextAreaField,
  TextField,
  Tooltip,
  TooltipTrigger,
} from '@backstage/ui';
import { RiPencilLine } from '@remixicon/react';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { BuildDetails, BuildRef } from '../api/BuildsApi';
import { nameOfBuild } from '../components/BuildState';
import { useDescribeBuild } from '../queries';
import { buildsTranslationRef } from '../translation';

/** The longest texts that the build server accepts. */
const MAX_NAME = 100;
const MAX_DESCRIPTION = 1_000;

/** Button that names and describes a build. */
export function DescribeButton(props: {
  build: BuildRef;
  details: BuildDetails;
}) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <TooltipTrigger>
        <ButtonIcon
          variant="secondary"
          icon={<RiPencilLine />}
          aria-label={t('build.describe')}
          onPress={() => setIsOpen(true)}
        />
        <Tooltip>{t('build.describe')}</Tooltip>
      </TooltipTrigger>
      {isOpen && <DescribeDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function DescribeDialog(props: {
  build: BuildRef;
  details: BuildDetails;
  onClose(): void;
}) {
  const { build, details, onClose } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { mutate, isPending, error } = useDescribeBuild(build);
  const [displayName, setDisplayName] = useState(nameOfBuild(details) ?? '');
  const [description, setDescription] = useState(details.description ?? '');
  return (
    <OpenDialog
      title={t('build.describeTitle', {
        job: build.job,
        number: String(build.number),
      })}
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t('build.describeSave')}
        isPending={isPending}
        onSubmit={() =>
          mutate(
            {
              displayName: displayName.trim(),
              description: description.trim(),
            },
            { onSuccess: onClose },
          )
        }
      >
        {error && (
          <SendFailure title={t('build.describeFailed')} error={error} />
        )}
        <TextField
          label={t('build.describeName')}
          description={t('build.describeNameHelp')}
          maxLength={MAX_NAME}
          value={displayName}
          onChange={setDisplayName}
        />
        <TextAreaField
          label={t('build.description')}
          maxLength={MAX_DESCRIPTION}
          value={description}
          onChange={setDescription}
        />
      </DialogForm>
    </OpenDialog>
  );
}
