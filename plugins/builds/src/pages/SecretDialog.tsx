import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { PasswordField, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Secret } from '../api/BuildsApi';
import { usePutSecret } from '../queries';
import { buildsTranslationRef } from '../translation';

/** The names and values that the build server accepts. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const LEAST_VALUE = 8;

const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** Creates a secret, or replaces its value or scope. A stored value is never shown. */
export function SecretDialog({
  secret,
  onClose,
}: {
  /** The secret to change; undefined to create one. */
  secret?: Secret;
  onClose(): void;
}) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const [name, setName] = useState(secret?.name ?? '');
  const [value, setValue] = useState('');
  const [jobs, setJobs] = useState(secret?.jobs.join(' ') ?? '');
  const [branches, setBranches] = useState(secret?.branches.join(' ') ?? '');
  const { mutate, error, isPending } = usePutSecret();
  const [isChecked, setIsChecked] = useState(false);
  const isNamed = NAME.test(name);
  const hasValue =
    value.length >= LEAST_VALUE || (secret !== undefined && value === '');
  const hasJobs = listOf(jobs).length > 0;
  const submit = () => {
    setIsChecked(true);
    if (isNamed && hasValue && hasJobs) {
      mutate(
        {
          name,
          ...(value !== '' && { value }),
          jobs: listOf(jobs),
          branches: listOf(branches),
        },
        { onSuccess: onClose },
      );
    }
  };
  return (
    <OpenDialog
      title={secret ? t('secrets.editTitle', { name }) : t('secrets.addTitle')}
      onClose={onClose}
    >
      <DialogForm
        submitLabel={secret ? t('secrets.save') : t('secrets.create')}
        isPending={isPending}
        onSubmit={submit}
      >
        {error && <SendFailure title={t('secrets.saveFailed')} error={error} />}
        {!secret && (
          <TextField
            // First field of the dialog.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            isRequired
            label={t('secrets.name')}
            description={t('secrets.nameHelp')}
            maxLength={100}
            value={name}
            onChange={setName}
            validationBehavior="aria"
            validate={() => !isChecked || isNamed || t('secrets.nameWrong')}
          />
        )}
        <PasswordField
          isRequired={!secret}
          label={t('secrets.value')}
          description={t(secret ? 'secrets.keepHelp' : 'secrets.valueHelp')}
          value={value}
          onChange={setValue}
          validationBehavior="aria"
          validate={() => !isChecked || hasValue || t('secrets.valueShort')}
        />
        <TextField
          isRequired
          label={t('secrets.jobs')}
          description={t('secrets.jobsHelp')}
          value={jobs}
          onChange={setJobs}
          validationBehavior="aria"
          validate={() => !isChecked || hasJobs || t('secrets.jobsMissing')}
        />
        <TextField
          label={t('secrets.branches')}
          description={t('secrets.branchesHelp')}
          value={branches}
          onChange={setBranches}
        />
      </DialogForm>
    </OpenDialog>
  );
}
