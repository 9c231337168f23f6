import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { NumberField, Select } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import {
  DialogForm,
  Done,
  localTime,
  OpenDialog,
  readLocalTime,
} from '@slipway/design-system';
import type { FlagEnvironment, FlagName } from '../../api/flags';
import type { NewSchedule } from '../../api/schedules';
import { ChangeRequestSent } from '../../components/ChangeRequestList';
import { TimeField } from '../../components/TimeField';
import { useCreateSchedule } from '../../queries/changes';
import { flagsTranslationRef } from '../../translation';
import { type LimitDraft, LimitFields, limitsOf } from './LimitFields';

const KINDS = ['on', 'off', 'stages'] as const;
type Kind = (typeof KINDS)[number];

/** The percentages of a staged rollout. */
const STAGES = [5, 25, 100];
const HOUR_MS = 3_600_000;
/** Schedules turning a flag on or off in an environment, or a staged rollout. */
export function ScheduleDialog(props: {
  flag: FlagName;
  environment: FlagEnvironment;
  onClose(): void;
}) {
  const { flag, environment, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const [kind, setKind] = useState<Kind>(environment.enabled ? 'off' : 'on');
  const [start, setStart] = useState(() =>
    localTime(new Date(Date.now() + HOUR_MS)),
  );
  const [hours, setHours] = useState(24);
  const [limit, setLimit] = useState<LimitDraft>({
    kind: 'none',
    name: '',
    aggregation: 'count',
    threshold: 1,
  });
  const [whenCrossed, setWhenCrossed] = useState<'pause' | 'off'>('pause');
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending, data, isSuccess } = useCreateSchedule(flag);
  const startsAt = readLocalTime(start);
  const isNamed = limit.kind === 'none' || limit.name.trim() !== '';
  const onSubmit = () => {
    setIsChecked(true);
    if (startsAt !== undefined && isNamed) {
      mutate(
        {
          environment: environment.name,
          steps: stepsOf(kind, { startsAt, hours }),
          limits: kind === 'stages' ? limitsOf(limit) : [],
          whenCrossed,
        },
        { onSuccess: request => !request && onClose() },
      );
    }
  };
  const title = t('schedule.title', { environment: environment.name });
  return (
    <OpenDialog title={title} onClose={onClose}>
      {isSuccess && data ? (
        <Done>
          <ChangeRequestSent request={data} />
        </Done>
      ) : (
        <DialogForm
          submitLabel={t(
            environment.protected ? 'environments.request' : 'schedule.submit',
          )}
          isPending={isPending}
          onSubmit={onSubmit}
        >
          {error && <SendFailure title={t('schedule.failed')} error={error} />}
          <Select
            label={t('schedule.kind')}
            value={kind}
            onChange={key => key !== null && setKind(key as Kind)}
            options={KINDS.map(id => ({
              id,
              label: t(`schedule.kinds.${id}`),
            }))}
          />
          <TimeField
            label={t('schedule.start')}
            value={start}
            onChange={setStart}
            error={
              isChecked && startsAt === undefined
                ? t('schedule.startMissing')
                : undefined
            }
          />
          {kind === 'stages' && (
            <>
              <NumberField
                label={t('schedule.interval')}
                minValue={1}
                maxValue={720}
                value={hours}
                onChange={value => Number.isFinite(value) && setHours(value)}
              />
              <LimitFields
                environment={environment.name}
                limit={limit}
                onChange={setLimit}
                isMissing={isChecked && !isNamed}
              />
              {limit.kind !== 'none' && (
                <Select
                  label={t('schedule.whenCrossed')}
                  value={whenCrossed}
                  onChange={key => setWhenCrossed(key as 'pause' | 'off')}
                  options={(['pause', 'off'] as const).map(id => ({
                    id,
                    label: t(`schedule.reactions.${id}`),
                  }))}
                />
              )}
            </>
          )}
        </DialogForm>
      )}
    </OpenDialog>
  );
}

function stepsOf(
  kind: Kind,
  { startsAt, hours }: { startsAt: string; hours: number },
): NewSchedule['steps'] {
  return kind === 'stages'
    ? STAGES.map((percentage, index) => ({
        at: new Date(
          Date.parse(startsAt) + index * hours * HOUR_MS,
        ).toISOString(),
        percentage,
        ...(index === 0 && { enabled: true }),
      }))
    : [{ at: startsAt, enabled: kind === 'on' }];
}
