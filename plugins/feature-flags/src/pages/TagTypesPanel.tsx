import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { TextAreaField, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { TagType } from '../api/registers';
import { NamedRecords } from '../components/NamedRecords';
import { TagTypeMark } from '../components/TagTypeMark';
import {
  useDeleteTagType,
  useSaveTagType,
  useTagTypes,
} from '../queries/registers';
import { flagsTranslationRef } from '../translation';

const NAME = /^[^\s/:]+$/;
const COLOR = /^#[0-9a-fA-F]{6}$/;

/** A panel of the types of tags, with their icons and colours. */
export function TagTypesPanel() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const remove = useDeleteTagType();
  return (
    <NamedRecords
      texts={{
        title: t('tagTypes.title'),
        create: t('tagTypes.create'),
        name: t('tagTypes.name'),
        edit: t('tagTypes.edit'),
        failed: t('tagTypes.failed'),
        loading: t('tagTypes.loading'),
        editNamed: name => t('tagTypes.editNamed', { name }),
        removeNamed: name => t('tagTypes.removeNamed', { name }),
        removeTitle: name => t('tagTypes.removeTitle', { name }),
        removeConfirm: t('tagTypes.removeConfirm'),
        removeText: t('tagTypes.removeText'),
      }}
      query={useTagTypes()}
      columns={[
        {
          id: 'description',
          label: t('tagTypes.description'),
          from: 'sm',
          cell: ({ description }) => description,
        },
      ]}
      nameOf={type => (
        <>
          <TagTypeMark type={type} /> {type.name}
        </>
      )}
      dialog={(type, onClose) => <TypeDialog type={type} onClose={onClose} />}
      // The type of tags that are added without one.
      stays={name => name === 'simple'}
      onRemove={name => remove.mutateAsync(name)}
    />
  );
}

/** Creates a type of tags, or changes one. */
function TypeDialog(props: { type: TagType | undefined; onClose(): void }) {
  const { type, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { mutate, error, isPending } = useSaveTagType();
  const [name, setName] = useState(type?.name ?? '');
  const [description, setDescription] = useState(type?.description ?? '');
  const [icon, setIcon] = useState(type?.icon ?? '');
  const [color, setColor] = useState(type?.color ?? '');
  const [isChecked, setIsChecked] = useState(false);
  const isNamed = NAME.test(name.trim());
  const isColor = color.trim() === '' || COLOR.test(color.trim());
  const onSubmit = () => {
    setIsChecked(true);
    if (isNamed && isColor) {
      mutate(
        {
          isNew: type === undefined,
          type: {
            name: name.trim(),
            description: description.trim(),
            icon: icon.trim(),
            color: color.trim() || null,
          },
        },
        { onSuccess: onClose },
      );
    }
  };
  return (
    <OpenDialog
      title={
        type
          ? t('tagTypes.editNamed', { name: type.name })
          : t('tagTypes.create')
      }
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t('tagTypes.save')}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        {error && (
          <SendFailure title={t('tagTypes.saveFailed')} error={error} />
        )}
        {!type && (
          <TextField
            // The dialog is opened to enter the name.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            label={t('tagTypes.name')}
            maxLength={50}
            value={name}
            onChange={setName}
            validationBehavior="aria"
            validate={() => !isChecked || isNamed || t('tagTypes.nameWrong')}
          />
        )}
        <TextAreaField
          label={t('tagTypes.description')}
          rows={2}
          maxLength={10_000}
          value={description}
          onChange={setDescription}
        />
        <TextField
          label={t('tagTypes.icon')}
          description={t('tagTypes.iconHelp')}
          maxLength={100}
          value={icon}
          onChange={setIcon}
        />
        <TextField
          label={t('tagTypes.color')}
          description={t('tagTypes.colorHelp')}
          maxLength={7}
          value={color}
          onChange={setColor}
          validationBehavior="aria"
          validate={() => !isChecked || isColor || t('tagTypes.colorWrong')}
        />
      </DialogForm>
    </OpenDialog>
  );
}
