import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Checkbox,
  CheckboxGroup,
  PasswordField,
  Select,
  TextField,
} from '@backstage/ui';
import { isConflict, SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import {
  CHANNEL_KINDS,
  type ChannelKind,
  NOTICE_EVENTS,
  type NoticeChannel,
} from '../../api/notices';
import { useSaveChannel } from '../../queries/notices';
import { useAllEnvironments, useProjects } from '../../queries/registers';
import { flagsTranslationRef } from '../../translation';

const MIN_SECRET = 16;
/** The only element of a list that means all; the dialog shows such a list as empty. */
const ALL = '*';

/** Creates a channel, or changes one. */
export function ChannelDialog(props: {
  channel: NoticeChannel | undefined;
  onClose(): void;
}) {
  const { channel, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: projects = [] } = useProjects();
  const { data: environments = [] } = useAllEnvironments();
  const { mutate, error, isPending } = useSaveChannel(channel);
  const [name, setName] = useState(channel?.name ?? '');
  const [kind, setKind] = useState<ChannelKind>(channel?.kind ?? 'slack');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [chosen, setChosen] = useState({
    projects: chosenIn(channel?.projects),
    environments: chosenIn(channel?.environments),
    events: chosenIn(channel?.events),
  });
  const [isChecked, setIsChecked] = useState(false);
  const isNamed = name.trim() !== '';
  const isAddressed =
    url.trim() === ''
      ? channel !== undefined
      : /^https?:\/\/./.test(url.trim());
  const isSecretRight = secret === '' || secret.length >= MIN_SECRET;
  const isWebhook = kind === 'webhook';

  const onSubmit = () => {
    setIsChecked(true);
    if (!isNamed || !isAddressed || (isWebhook && !isSecretRight)) {
      return;
    }
    mutate(
      {
        name: name.trim(),
        kind,
        ...(url.trim() !== '' && { url: url.trim() }),
        ...(isWebhook && secret !== '' && { secret }),
        projects: orAll(chosen.projects),
        environments: orAll(chosen.environments),
        events: orAll(chosen.events),
        enabled: channel?.enabled ?? true,
      },
      { onSuccess: onClose },
    );
  };

  const choices = (
    field: keyof typeof chosen,
    options: readonly { id: string; label: string }[],
  ) => (
    <CheckboxGroup
      label={t(`notices.${field}`)}
      description={t('notices.allHelp')}
      value={chosen[field]}
      onChange={values => setChosen({ ...chosen, [field]: values })}
    >
      {options.map(({ id, label }) => (
        <Checkbox key={id} value={id}>
          {label}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );

  return (
    <OpenDialog
      title={
        channel
          ? t('notices.editNamed', { name: channel.name })
          : t('notices.create')
      }
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t(channel ? 'notices.save' : 'notices.create')}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        {error && (
          <SendFailure
            title={t(
              isConflict(error) ? 'notices.conflict' : 'notices.saveFailed',
            )}
            error={error}
          />
        )}
        <TextField
          // The dialog is opened to enter the name.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          label={t('notices.name')}
          maxLength={100}
          value={name}
          onChange={setName}
          validationBehavior="aria"
          validate={() => !isChecked || isNamed || t('notices.nameMissing')}
        />
        <Select
          label={t('notices.kindLabel')}
          value={kind}
          onChange={key => setKind(key as ChannelKind)}
          options={CHANNEL_KINDS.map(id => ({
            id,
            label: t(`notices.kind.${id}`),
          }))}
        />
        <TextField
          label={t('notices.url')}
          description={t(
            channel ? 'notices.urlKept' : `notices.urlHelp.${kind}`,
          )}
          type="url"
          maxLength={2_048}
          value={url}
          onChange={setUrl}
          validationBehavior="aria"
          validate={() => !isChecked || isAddressed || t('notices.urlMissing')}
        />
        {isWebhook && (
          <PasswordField
            label={t('notices.secret')}
            description={t(
              channel?.signed ? 'notices.secretKept' : 'notices.secretHelp',
            )}
            maxLength={256}
            value={secret}
            onChange={setSecret}
            validationBehavior="aria"
            validate={() =>
              !isChecked || isSecretRight || t('notices.secretShort')
            }
          />
        )}
        {choices(
          'events',
          NOTICE_EVENTS.map(id => ({ id, label: t(`notices.event.${id}`) })),
        )}
        {choices(
          'environments',
          environments.map(each => ({ id: each.name, label: each.name })),
        )}
        {choices(
          'projects',
          projects.map(each => ({ id: each.id, label: each.name })),
        )}
      </DialogForm>
    </OpenDialog>
  );
}

function chosenIn(names: readonly string[] = [ALL]): string[] {
  return names.includes(ALL) ? [] : [...names];
}

function orAll(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [ALL] : names;
}
