import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Panel, StatusBadge } from '@slipway/design-system';
import type { Flag, FlagEnvironment, FlagProblem } from '../../api/flags';
import { EnvironmentSwitch } from '../../components/EnvironmentSwitch';
import { ChangeRequestSent } from '../../components/ChangeRequestList';
import { useChangeEnvironment } from '../../queries/flags';
import { useMayChange } from '../../queries/access';
import { flagsTranslationRef } from '../../translation';
import { RuleList } from './RuleList';
import { ScheduleDialog } from './ScheduleDialog';
import { StateEditor } from './StateEditor';
import styles from './Flag.module.css';

/** A flag in one environment: on or off, its rules and variants, and their editor. */
export function EnvironmentPanel(props: {
  flag: Flag;
  environment: FlagEnvironment;
  /** The flag in the other environments. */
  others: readonly FlagEnvironment[];
}) {
  const { flag, environment, others } = props;
  const { name, strategies, variants, problems } = environment;
  const { t } = useTranslationRef(flagsTranslationRef);
  const isEditable = useMayChange(flag.project) && !flag.archived;
  const [isEditing, setIsEditing] = useState(false);
  const [isScheduling, setIsScheduling] = useState(false);
  const change = useChangeEnvironment(flag);
  return (
    <div data-edited={isEditing}>
      <Panel
        title={name}
        action={
          isEditable &&
          !isEditing && (
            <div className={styles.actions}>
              <Button
                size="small"
                variant="tertiary"
                aria-label={t('schedule.openNamed', { environment: name })}
                onPress={() => setIsScheduling(true)}
              >
                {t('schedule.open')}
              </Button>
              <Button
                size="small"
                variant="secondary"
                aria-label={t('rollout.editNamed', { environment: name })}
                onPress={() => setIsEditing(true)}
              >
                {t('rollout.edit')}
              </Button>
            </div>
          )
        }
      >
        <div className={styles.stack}>
          <div className={styles.head}>
            {isEditable ? (
              <EnvironmentSwitch flag={flag} environment={environment} />
            ) : (
              <span>
                {t(
                  environment.enabled
                    ? 'environments.isOn'
                    : 'environments.isOff',
                  { environment: name },
                )}
              </span>
            )}
            <EnvironmentMarks environment={environment} />
          </div>
          {change.data && <ChangeRequestSent request={change.data} />}
          {problems && <Problems problems={problems} />}
          {isEditing ? (
            <StateEditor
              flag={flag}
              environment={environment}
              others={others}
              change={change}
              onClose={() => setIsEditing(false)}
            />
          ) : (
            <RuleList strategies={strategies} variants={variants} />
          )}
        </div>
        {isScheduling && (
          <ScheduleDialog
            flag={flag}
            environment={environment}
            onClose={() => setIsScheduling(false)}
          />
        )}
      </Panel>
    </div>
  );
}

/** Badges for an environment that needs approval or has problems. */
function EnvironmentMarks({ environment }: { environment: FlagEnvironment }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { problems } = environment;
  return (
    <span className={styles.actions}>
      {environment.protected && (
        <StatusBadge tone="info" label={t('environments.protected')} />
      )}
      {problems && (
        <StatusBadge
          tone="warning"
          label={t('state.problems', { count: problems.length })}
        />
      )}
    </span>
  );
}

/** Lists the parts of rules that SDKs cannot evaluate as written, and who they match as a result. */
function Problems(props: {
  problems: NonNullable<FlagEnvironment['problems']>;
}) {
  const { t } = useTranslationRef(flagsTranslationRef);
  // Rules are numbered as in the list; everything else has the field name of the API.
  const textOf = ({ field, message }: FlagProblem) => {
    const [, index] = /^strategies\.(\d+)\./.exec(field) ?? [];
    return index === undefined
      ? `${message} (${field})`
      : t('rollout.problemOf', { number: String(Number(index) + 1), message });
  };
  return (
    <section aria-label={t('rollout.problems')}>
      <strong>{t('rollout.problems')}</strong>
      <ul>
        {props.problems.map(({ field, message }) => (
          <li key={field} className={styles.change}>
            {textOf({ field, message })}
          </li>
        ))}
      </ul>
    </section>
  );
}
