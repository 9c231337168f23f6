import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Checkbox, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import type { InsightQuery, SavedInsight } from '../api/InsightQuery';
import { useSaveInsight } from '../insightQueries';
import { analyticsTranslationRef } from '../translation';
import { addressOf } from './savedQuery';

const NAME_LENGTH = 200;

/** A dialog that saves a query under a name, as a new insight or in place of the open one. */
export function SaveDialog(props: {
  projectId: string;
  query: InsightQuery;
  /** The open insight, in the version that the changes are based on, if the user may change it. */
  opened?: SavedInsight;
  onClose(): void;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, query, onClose } = props;
  const navigate = useNavigate();
  // The name is edited from this version, even if a newer one is fetched in the meantime.
  const [opened] = useState(props.opened);
  const [name, setName] = useState(opened?.name ?? '');
  const [isOver, setIsOver] = useState(opened !== undefined);
  const [isChecked, setIsChecked] = useState(false);
  const save = useSaveInsight(projectId);
  const isMissing = isChecked && name.trim() === '';
  const submit = () => {
    setIsChecked(true);
    if (name.trim() === '') {
      return;
    }
    save.mutate(
      { over: isOver ? opened : undefined, insight: { name, query } },
      {
        onSuccess({ id }) {
          onClose();
          navigate(addressOf(query, { project: projectId, insight: id }));
        },
      },
    );
  };
  return (
    <OpenDialog title={t('insight.save')} onClose={onClose}>
      <DialogForm
        submitLabel={t('insight.save')}
        isPending={save.isPending}
        onSubmit={submit}
      >
        {save.error && (
          <SendFailure title={t('insight.saveFailed')} error={save.error} />
        )}
        <TextField
          label={t('settings.name')}
          value={name}
          onChange={setName}
          maxLength={NAME_LENGTH}
          isInvalid={isMissing}
          {...(isMissing && { description: t('settings.nameMissing') })}
        />
        {opened && (
          <Checkbox isSelected={isOver} onChange={setIsOver}>
            {t('insight.saveOver', { name: opened.name })}
          </Checkbox>
        )}
      </DialogForm>
    </OpenDialog>
  );
}
