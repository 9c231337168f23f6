import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { TextAreaField, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { ContextField } from '../api/registers';
import { NamedRecords } from '../components/NamedRecords';
import {
  useContextFields,
  useDeleteContextField,
  useSaveContextField,
} from '../queries/registers';
import { flagsTranslationRef } from '../translation';

/** The fields that SDKs set, which cannot be deleted. */
const BUILT_IN: readonly string[] = [
  'environment',
  'userId',
  'appName',
  'currentTime',
  'sessionId',
];

/** A panel of the fields that constraints can use, and the values that they may have. */
export function ContextFieldsPanel() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const remove = useDeleteContextField();
  return (
    <NamedRecords
      texts={{
        title: t('context.title'),
        create: t('context.create'),
        name: t('context.name'),
        edit: t('context.edit'),
        failed: t('context.failed'),
        loading: t('context.loading'),
        editNamed: name => t('context.editNamed', { name }),
        removeNamed: name => t('context.removeNamed', { name }),
        removeTitle: name => t('context.removeTitle', { name }),
        removeConfirm: t('context.removeConfirm'),
        removeText: t('context.removeText'),
      }}
      query={useContextFields()}
      columns={[
        {
          id: 'values',
          label: t('context.values'),
          cell: ({ legalValues }) =>
            legalValues.map(({ value }) => value).join(', ') ||
            t('context.any'),
        },
      ]}
      dialog={(field, onClose) => (
        <FieldDialog field={field} onClose={onClose} />
      )}
      stays={name => BUILT_IN.includes(name)}
      onRemove={name => remove.mutateAsync(name)}
    />
  );
}

/** Creates a field, or changes the values that it may have. */
function FieldDialog(props: {
  field: ContextField | undefined;
  onClose(): void;
}) {
  const { field, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { mutate, error, isPending } = useSaveContextField();
  const [name, setName] = useState(field?.name ?? '');
  const [values, setValues] = useState(
    field?.legalValues.map(({ value }) => value).join('\n') ?? '',
  );
  const [isChecked, setIsChecked] = useState(false);
  const isNamed = /^[^\s/]+$/.test(name.trim());
  const onSubmit = () => {
    setIsChecked(true);
    if (isNamed) {
      mutate(
        {
          isNew: field === undefined,
          field: {
            name: name.trim(),
            legalValues: readValues(values, field?.legalValues),
          },
        },
        { onSuccess: onClose },
      );
    }
  };
  return (
    <OpenDialog
      title={
        field
          ? t('context.editNamed', { name: field.name })
          : t('context.create')
      }
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t('context.save')}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        {error && <SendFailure title={t('context.saveFailed')} error={error} />}
        {!field && (
          <TextField
            // The dialog is opened to enter the name.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            label={t('context.name')}
            description={t('context.nameHelp')}
            maxLength={100}
            value={name}
            onChange={setName}
            validationBehavior="aria"
            validate={() => !isChecked || isNamed || t('context.nameWrong')}
          />
        )}
        <TextAreaField
          label={t('context.values')}
          description={t('context.valuesHelp')}
          rows={5}
          value={values}
          onChange={setValues}
        />
      </DialogForm>
    </OpenDialog>
  );
}

/** Reads one value per line. @param known - values that keep their descriptions, which the form hides. */
function readValues(
  text: string,
  known: ContextField['legalValues'] = [],
): ContextField['legalValues'] {
  const values = text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean);
  return [...new Set(values)].map(
    value => known.find(each => each.value === value) ?? { value },
  );
}
