import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { FlagName } from '../../api/flags';
import type { Project } from '../../api/registers';
import { mayChangeIn, useUser } from '../../queries/access';
import { useMoveFlag } from '../../queries/flags';
import { useProjects } from '../../queries/registers';
import { flagsTranslationRef } from '../../translation';

/** Lists the other projects to which the user may move a flag. */
export function useMoveTargets({ project }: FlagName): readonly Project[] {
  const { data: user } = useUser();
  const { data: projects = [] } = useProjects();
  return projects.filter(
    ({ id }) => id !== project && user && mayChangeIn(user, id),
  );
}

/** Moves a flag to another project. */
export function MoveDialog(props: {
  flag: FlagName;
  /** The projects to choose from; at least one. */
  targets: readonly Project[];
  onClose(): void;
}) {
  const { flag, targets, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { mutate, error, isPending } = useMoveFlag(flag);
  const [project, setProject] = useState(targets[0].id);
  return (
    <OpenDialog title={t('move.title', { name: flag.name })} onClose={onClose}>
      <DialogForm
        submitLabel={t('move.submit')}
        isPending={isPending}
        onSubmit={() => mutate(project, { onSuccess: onClose })}
      >
        {error && <SendFailure title={t('move.failed')} error={error} />}
        <Select
          label={t('move.project')}
          description={t('move.help')}
          value={project}
          onChange={key => key !== null && setProject(String(key))}
          options={targets.map(({ id, name }) => ({ id, label: name }))}
        />
      </DialogForm>
    </OpenDialog>
  );
}
