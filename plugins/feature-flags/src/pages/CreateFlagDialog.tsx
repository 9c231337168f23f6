import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, TextAreaField, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import type { Flag } from '../api/flags';
import { FLAG_TYPES } from '../components/FlagState';
import { useCreateFlag } from '../queries/flags';
import { useProjects } from '../queries/registers';
import { mayChangeIn, useUser } from '../queries/access';
import { useLinks } from '../routes';
import { flagsTranslationRef } from '../translation';

/** A dialog that creates a flag and then opens its page; it can be shown on any page. */
export function CreateFlagDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const navigate = useNavigate();
  return (
    <OpenDialog title={t('create.title')} onClose={onClose}>
      <CreateFlagForm
        onCreated={({ name }) => {
          onClose();
          navigate(links.flag(name));
        }}
      />
    </OpenDialog>
  );
}

/** The project that always exists. */
const DEFAULT_PROJECT = 'default';

/** The names that the form accepts; the service also accepts letters of other scripts. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,100}$/;

/** The form of the dialog: name, type, project and description. */
function CreateFlagForm(props: { onCreated(flag: Flag): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const [name, setName] = useState('');
  const [type, setType] = useState<string>(FLAG_TYPES[0]);
  const [description, setDescription] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useCreateFlag();
  const { data: user } = useUser();
  const { data: all = [] } = useProjects();
  const projects = all.filter(({ id }) => user && mayChangeIn(user, id));
  const [chosen, setChosen] = useState<string>();
  const own = projects.find(({ id }) => id === DEFAULT_PROJECT) ?? projects[0];
  const project = chosen ?? own?.id ?? DEFAULT_PROJECT;
  const isNamed = NAME.test(name.trim());

  const onSubmit = () => {
    setIsChecked(true);
    if (isNamed) {
      mutate(
        {
          name: name.trim(),
          type,
          project,
          description: description.trim(),
        },
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
        // The dialog is opened to enter the name.
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
      {projects.length > 1 && (
        <Select
          label={t('create.project')}
          value={project}
          onChange={key => key !== null && setChosen(String(key))}
          options={projects.map(each => ({ id: each.id, label: each.name }))}
        />
      )}
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
