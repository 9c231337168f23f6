import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Project } from '../api/EventsApi';
import { useChangeProject, useCreateProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';

const NAME_LENGTH = 100;
const ID_LENGTH = 63;
const ID = /^[a-z0-9][a-z0-9_-]*$/;

/** A dialog that creates a project with its first key. */
export function CreateProjectDialog(props: {
  onClose(): void;
  onCreated(id: string): void;
}) {
  const { onClose, onCreated } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [name, setName] = useState('');
  const [typedId, setTypedId] = useState<string>();
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useCreateProject();
  const id = typedId ?? idFrom(name);
  const submit = () => {
    setIsChecked(true);
    if (name.trim() === '' || !ID.test(id)) {
      return;
    }
    mutate(
      { id, name: name.trim(), keyName: t('project.keyName') },
      {
        onSuccess() {
          onClose();
          onCreated(id);
        },
      },
    );
  };
  return (
    <OpenDialog title={t('project.create')} onClose={onClose}>
      <DialogForm
        submitLabel={t('project.create')}
        isPending={isPending}
        onSubmit={submit}
      >
        {error && (
          <SendFailure title={t('project.createFailed')} error={error} />
        )}
        <NameField name={name} onChange={setName} isChecked={isChecked} />
        <TextField
          label={t('project.id')}
          description={t('project.idHelp')}
          maxLength={ID_LENGTH}
          value={id}
          onChange={setTypedId}
          validationBehavior="aria"
          validate={() => !isChecked || ID.test(id) || t('project.idWrong')}
        />
      </DialogForm>
    </OpenDialog>
  );
}

export function RenameProjectDialog(props: {
  project: Project;
  onClose(): void;
}) {
  const { project, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [name, setName] = useState(project.name);
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useChangeProject(project.id);
  const submit = () => {
    setIsChecked(true);
    if (name.trim() !== '') {
      mutate({ name: name.trim() }, { onSuccess: onClose });
    }
  };
  return (
    <OpenDialog title={t('project.renameTitle')} onClose={onClose}>
      <DialogForm
        submitLabel={t('project.rename')}
        isPending={isPending}
        onSubmit={submit}
      >
        {error && (
          <SendFailure title={t('project.renameFailed')} error={error} />
        )}
        <NameField name={name} onChange={setName} isChecked={isChecked} />
      </DialogForm>
    </OpenDialog>
  );
}

function NameField(props: {
  name: string;
  onChange(name: string): void;
  /** True once the form was submitted. */
  isChecked: boolean;
}) {
  const { name, onChange, isChecked } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <TextField
      // The name is what the dialog is about.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      label={t('project.name')}
      maxLength={NAME_LENGTH}
      value={name}
      onChange={onChange}
      validationBehavior="aria"
      validate={() =>
        !isChecked || name.trim() !== '' || t('settings.nameMissing')
      }
    />
  );
}

/** Derives an id from a name: "Web shop" becomes `web-shop`. */
function idFrom(name: string): string {
  return name
    .toLocaleLowerCase('en')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, ID_LENGTH);
}
