import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, TextAreaField, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm } from '@slipway/design-system';
import type { Flag } from '../../api/types';
import { useCreateFlag } from '../../data/useChanges';
import { flagsTranslationRef } from '../../translation';
import { FLAG_TYPES } from './flagTypes';

/** The longest name that the service takes. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,100}$/;

/** Name, type and description. Content of a Dialog. */
export function CreateFlagForm(props: { onCreated(flag: Flag): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const [name, setName] = useState('');
  const [type, setType] = useState<string>(FLAG_TYPES[0]);
  const [description, setDescription] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useCreateFlag();
  const isNamed = NAME.test(name.trim());

  const onSubmit = () => {
    setIsChecked(true);
    if (isNamed) {
      mutate(
        { name: name.trim(), type, description: description.trim() },
        { onSuccess: props.onCreated },
      );
    }
  };

  return (
    <DialogForm
      submitLabel={t('create.submit')}
      isPending={isPending}
      onSubmit={onSubmit}
    >
      {error && <SendFailure title={t('create.failed')} error={error} />}
      <TextField
        // The name is what the dialog is about.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label={t('create.name')}
        description={t('create.nameHelp')}
        maxLength={100}
        value={name}
        onChange={setName}
        validationBehavior="aria"
        validate={() => !isChecked || isNamed || t('create.nameWrong')}
      />
      <Select
        label={t('create.type')}
        value={type}
        onChange={key => key !== null && setType(String(key))}
        options={FLAG_TYPES.map(id => ({ id, label: t(`type.${id}`) }))}
      />
      <TextAreaField
        label={t('create.description')}
        rows={2}
        maxLength={10_000}
        value={description}
        onChange={setDescription}
      />
    </DialogForm>
  );
}
