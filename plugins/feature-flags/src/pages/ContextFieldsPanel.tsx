import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextAreaField, TextField } from '@backstage/ui';
import { QueryTable, SendFailure, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  DialogForm,
  OpenDialog,
  Panel,
} from '@slipway/design-system';
import type { ContextField } from '../api/registers';
import {
  useContextFields,
  useDeleteContextField,
  useSaveContextField,
} from '../queries/registers';
import { useMayChange } from '../queries/user';
import { flagsTranslationRef } from '../translation';
import styles from './AccessPage.module.css';

/** A panel of the fields that constraints can use, and the values that they may have. */
export function ContextFieldsPanel() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const errorWords = useErrorWords();
  const mayChange = useMayChange();
  const [edited, setEdited] = useState<ContextField | 'new'>();
  const [removed, setRemoved] = useState<string>();
  const remove = useDeleteContextField();
  return (
    <Panel
      title={t('context.title')}
      padded={false}
      action={
        mayChange && (
          <Button
            size="small"
            variant="secondary"
            onPress={() => setEdited('new')}
          >
            {t('context.create')}
          </Button>
        )
      }
    >
      <QueryTable
        isPlain
        label={t('context.title')}
        query={useContextFields()}
        rowsOf={fields => fields}
        failed={t('context.failed')}
        loading={t('context.loading')}
        rowId={({ name }) => name}
        columns={[
          {
            id: 'name',
            label: t('context.name'),
            text: ({ name }) => name,
            cell: ({ name }) => <span className={styles.name}>{name}</span>,
          },
          {
            id: 'values',
            label: t('context.values'),
            cell: ({ legalValues }) =>
              legalValues.map(({ value }) => value).join(', ') ||
              t('context.any'),
          },
          {
            id: 'actions',
            label: t('context.edit'),
            hidesLabel: true,
            width: 152,
            cell: field =>
              mayChange && (
                <span className={styles.actions}>
                  <Button
                    size="small"
                    variant="tertiary"
                    aria-label={t('context.editNamed', { name: field.name })}
                    onPress={() => setEdited(field)}
                  >
                    {t('context.edit')}
                  </Button>
                  <Button
                    size="small"
                    variant="tertiary"
                    aria-label={t('context.removeNamed', { name: field.name })}
                    onPress={() => setRemoved(field.name)}
                  >
                    {t('context.remove')}
                  </Button>
                </span>
              ),
          },
        ]}
      />
      {edited && (
        <FieldDialog
          field={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      <ConfirmDialog
        isOpen={removed !== undefined}
        onOpenChange={isOpen => !isOpen && setRemoved(undefined)}
        title={t('context.removeTitle', { name: removed ?? '' })}
        confirmLabel={t('context.removeConfirm')}
        describeError={errorWords}
        onConfirm={async () => {
          if (removed !== undefined) {
            await remove.mutateAsync(removed);
          }
        }}
      >
        {t('context.removeText')}
      </ConfirmDialog>
    </Panel>
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
          field: { name: name.trim(), legalValues: readValues(values) },
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
            // The name is what the dialog is about.
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

function readValues(text: string): ContextField['legalValues'] {
  const values = text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean);
  return [...new Set(values)].map(value => ({ value }));
}
