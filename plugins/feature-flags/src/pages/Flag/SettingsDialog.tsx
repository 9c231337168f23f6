import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, Switch, TextAreaField } from '@backstage/ui';
import { isConflict, SendFailure } from '@slipway/app-react';
import { Details, DialogForm, OpenDialog } from '@slipway/design-system';
import type { Flag, ReadFlag } from '../../api/flags';
import {
  FLAG_TYPES,
  FlagTypeName,
  isKnownType,
} from '../../components/FlagState';
import { useUpdateFlag } from '../../queries/flags';
import { flagsTranslationRef } from '../../translation';
import { expectedDays } from '../filterFlags';
import { ConflictDialog } from './ConflictDialog';

type Settings = Pick<Flag, 'description' | 'type' | 'impressionData'>;

/**
 * Edits the description, type and impression data of a flag. If others have saved other settings
 * since, both versions are shown before one of them is lost.
 */
export function SettingsDialog(props: { flag: ReadFlag; onClose(): void }) {
  const { flag, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  // The flag that the draft is based on.
  const [began] = useState(flag);
  const [draft, setDraft] = useState<Settings>(() => settingsOf(flag));
  const { mutate, error, isPending, reset } = useUpdateFlag(flag.name);
  const { description, type, impressionData } = draft;
  const save = (etag?: string) =>
    mutate(
      { ...draft, description: description.trim(), etag },
      { onSuccess: onClose },
    );
  const days = expectedDays(type);
  if (isConflict(error)) {
    return (
      <ConflictDialog
        name={flag.name}
        subject="settings"
        saved={<SettingsList settings={flag} />}
        draft={<SettingsList settings={draft} />}
        onOverwrite={() => save(flag.etag)}
        onDiscard={onClose}
        onClose={reset}
      />
    );
  }
  return (
    <OpenDialog
      title={t('settings.title', { name: flag.name })}
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t('settings.save')}
        isPending={isPending}
        onSubmit={() =>
          save(
            isSame(settingsOf(began), settingsOf(flag))
              ? flag.etag
              : began.etag,
          )
        }
      >
        {error && <SendFailure title={t('flag.changeFailed')} error={error} />}
        <TextAreaField
          label={t('create.description')}
          rows={3}
          maxLength={10_000}
          value={description}
          onChange={changed => setDraft({ ...draft, description: changed })}
        />
        <Select
          label={t('create.type')}
          description={
            days === undefined
              ? t('settings.permanent')
              : t('settings.lifetime', { days: String(days) })
          }
          value={type}
          onChange={key =>
            key !== null && setDraft({ ...draft, type: String(key) })
          }
          options={[...new Set<string>([...FLAG_TYPES, began.type])].map(
            id => ({
              id,
              label: isKnownType(id) ? t(`type.${id}`) : id,
            }),
          )}
        />
        <Switch
          label={t('settings.impressions')}
          isSelected={impressionData}
          onChange={isOn => setDraft({ ...draft, impressionData: isOn })}
        />
      </DialogForm>
    </OpenDialog>
  );
}

function SettingsList({ settings }: { settings: Settings }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { description, type, impressionData } = settings;
  return (
    <Details
      items={[
        { label: t('create.description'), value: description || '–' },
        { label: t('summary.type'), value: <FlagTypeName type={type} /> },
        {
          label: t('summary.impressions'),
          value: t(impressionData ? 'state.on' : 'state.off'),
        },
      ]}
    />
  );
}

function settingsOf({ description, type, impressionData }: Flag): Settings {
  return { description, type, impressionData };
}

function isSame(one: Settings, other: Settings): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
