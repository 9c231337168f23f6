import { useId, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { TextField } from '@backstage/ui';
import { SendFailure, useServiceChange } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Token } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';
import { type AdminApi, adminApiRef, type OfPart } from './AdminClient';

/** A dialog that removes a token or webhook from its part once the user has typed its name. */
export function RemoveDialog(props: {
  item: OfPart<Pick<Token, 'name' | 'remove'>>;
  texts: { title: string; text: string; confirm: string; failed: string };
  onClose(): void;
  onRemoved?(): void;
}) {
  const { item, texts, onClose, onRemoved } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const textId = useId();
  const [typed, setTyped] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const remove = useServiceChange(
    adminApiRef,
    (api: AdminApi, removed: typeof item) => api.remove(removed),
  );
  const isRight = typed.trim() === item.name.trim();
  const isWrong = isChecked && !isRight;
  return (
    <OpenDialog title={texts.title} onClose={onClose}>
      <DialogForm
        submitLabel={texts.confirm}
        isPending={remove.isPending}
        onSubmit={() => {
          setIsChecked(true);
          if (isRight) {
            remove.mutate(item, {
              onSuccess() {
                onClose();
                onRemoved?.();
              },
            });
          }
        }}
      >
        {remove.error && (
          <SendFailure title={texts.failed} error={remove.error} />
        )}
        <p id={textId} className="slw-AdminNote">
          {texts.text}
        </p>
        <TextField
          // Receives the initial focus, so screen readers would otherwise skip the text above.
          aria-describedby={textId}
          label={t('admin.typeName', { name: item.name })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          isInvalid={isWrong}
          {...(isWrong && { description: t('admin.wrongName') })}
        />
      </DialogForm>
    </OpenDialog>
  );
}
