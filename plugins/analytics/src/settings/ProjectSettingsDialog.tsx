import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Checkbox, Combobox, Select, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Project } from '../api/EventsApi';
import { useChangeProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';

const MAX_DAYS = 36_500;
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/**
 * A dialog that changes when days begin and how long events are kept; it asks before events
 * are deleted.
 */
export function ProjectSettingsDialog(props: {
  project: Project;
  onClose(): void;
}) {
  const { project, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [zone, setZone] = useState<string | undefined>(project.timeZone);
  const [weekStart, setWeekStart] = useState(project.weekStart);
  const [days, setDays] = useState(String(project.retentionDays ?? ''));
  const [isAgreed, setIsAgreed] = useState(false);
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useChangeProject(project.id);
  const retentionDays = days.trim() === '' ? null : Number(days);
  const isValid =
    retentionDays === null ||
    (Number.isInteger(retentionDays) &&
      retentionDays >= 1 &&
      retentionDays <= MAX_DAYS);
  const deletes =
    isValid &&
    retentionDays !== null &&
    retentionDays < (project.retentionDays ?? Infinity);
  const submit = () => {
    setIsChecked(true);
    if (zone !== undefined && isValid && (isAgreed || !deletes)) {
      mutate(
        { timeZone: zone, weekStart, retentionDays },
        { onSuccess: onClose },
      );
    }
  };
  return (
    <OpenDialog title={t('project.settings')} onClose={onClose}>
      <DialogForm
        submitLabel={t('project.saveSettings')}
        isPending={isPending}
        onSubmit={submit}
      >
        {error && (
          <SendFailure title={t('project.settingsFailed')} error={error} />
        )}
        <Combobox
          label={t('project.timeZone')}
          description={t('project.timeZoneHelp')}
          value={zone}
          onChange={value =>
            setZone(value === null ? undefined : String(value))
          }
          isInvalid={isChecked && zone === undefined}
          options={ZONES.map(id => ({ id, label: id }))}
        />
        <Select
          label={t('project.weekStart')}
          value={weekStart}
          onChange={value => setWeekStart(value as Project['weekStart'])}
          options={(['sunday', 'monday'] as const).map(value => ({
            value,
            label: t(`project.days.${value}`),
          }))}
        />
        <TextField
          label={t('project.retention')}
          description={t(
            isValid ? 'project.retentionHelp' : 'project.retentionWrong',
          )}
          value={days}
          onChange={setDays}
          inputMode="numeric"
          isInvalid={!isValid}
        />
        {deletes && (
          <Checkbox
            isSelected={isAgreed}
            isInvalid={isChecked && !isAgreed}
            onChange={setIsAgreed}
          >
            {t('project.retentionConfirm', { days: String(retentionDays) })}
          </Checkbox>
        )}
      </DialogForm>
    </OpenDialog>
  );
}
