import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { PasswordField, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Secret } from '../api/BuildsApi';
import { usePutSecret } from '../queries';
import { buildsTranslationRef } from '../translation';

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
  const submit = () =>
    mutate(
      {
        name,
        ...(value !== '' && { value }),
        jobs: listOf(jobs),
        branches: listOf(branches),
      },
      { onSuccess: onClose },
    );
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
            value={name}
            onChange={setName}
          />
        )}
        <PasswordField
          isRequired={!secret}
          label={t('secrets.value')}
          description={t(secret ? 'secrets.keepHelp' : 'secrets.valueHelp')}
          value={value}
          onChange={setValue}
        />
        <TextField
          isRequired
          label={t('secrets.jobs')}
          description={t('secrets.jobsHelp')}
          value={jobs}
          onChange={setJobs}
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
