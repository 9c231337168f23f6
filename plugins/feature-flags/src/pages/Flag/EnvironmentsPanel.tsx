import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Switch } from '@backstage/ui';
import { Loaded, SendFailure } from '@slipway/app-react';
import { LoadingRows, Panel, StatusBadge } from '@slipway/design-system';
import type { Flag, FlagEnvironment } from '../../api/FlagsApi';
import {
  useEnvironments,
  useMayChange,
  useToggleEnvironment,
} from '../../queries';
import { flagsTranslationRef } from '../../translation';
import { strategyText } from './strategies';
import styles from './Flag.module.css';

/** What a flag is in each environment: on or off, and for whom. */
export function EnvironmentsPanel({ flag }: { flag: Flag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <Panel title={t('environments.title')}>
      <Loaded
        query={useEnvironments(flag)}
        failed={t('environments.failed')}
        loading={<LoadingRows label={t('environments.loading')} rows={2} />}
      >
        {environments => (
          <ul className={styles.strategies}>
            {environments.map(environment => (
              <li key={environment.name}>
                <EnvironmentRow flag={flag} environment={environment} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function EnvironmentRow(props: { flag: Flag; environment: FlagEnvironment }) {
  const { flag, environment } = props;
  const { name, enabled, strategies, problems } = environment;
  const { t } = useTranslationRef(flagsTranslationRef);
  const isEditable = useMayChange() && !flag.archived;
  const { mutate, error, isPending, variables } = useToggleEnvironment(flag);
  const label = t(enabled ? 'environments.isOn' : 'environments.isOff', {
    environment: name,
  });
  return (
    <div className={styles.stack}>
      {error && (
        <SendFailure
          title={t('environments.changeFailed', { environment: name })}
          error={error}
        />
      )}
      <div className={styles.head}>
        {isEditable ? (
          <Switch
            label={label}
            // As it will be, until the answer says otherwise.
            isSelected={isPending ? variables.enabled : enabled}
            isDisabled={isPending}
            onChange={isOn => mutate({ environment: name, enabled: isOn })}
          />
        ) : (
          <span>{label}</span>
        )}
        {problems && (
          <StatusBadge
            tone="warning"
            label={t('state.problems', { count: problems.length })}
          />
        )}
      </div>
      {strategies.length === 0 ? (
        <p className={styles.quiet}>{t('environments.everyone')}</p>
      ) : (
        strategies.map((strategy, index) => (
          <p key={index} className={styles.quiet}>
            {strategyText(strategy)}
          </p>
        ))
      )}
    </div>
  );
}
