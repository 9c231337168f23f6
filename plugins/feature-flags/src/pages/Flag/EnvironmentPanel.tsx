import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { readFailedCall, SendFailure } from '@slipway/app-react';
import { Panel, StatusBadge } from '@slipway/design-system';
import type { Flag, FlagEnvironment, Strategy } from '../../api/flags';
import { trimmed } from '../../components/ConstraintsEditor';
import { EnvironmentSwitch } from '../../components/EnvironmentSwitch';
import { Requested } from '../../components/Requested';
import { useChangeEnvironment } from '../../queries/flags';
import { useMayChange } from '../../queries/user';
import { flagsTranslationRef } from '../../translation';
import { ConflictDialog } from './ConflictDialog';
import { RuleList } from './RuleList';
import { ScheduleDialog } from './ScheduleDialog';
import { newStrategy } from './strategies';
import { StrategyEditor } from './StrategyEditor';
import styles from './Flag.module.css';

/** What somebody is editing, and the environment as it was when that began. */
interface Draft {
  strategies: readonly Strategy[];
  began: Pick<FlagEnvironment, 'strategies' | 'etag'>;
}

/**
 * What a flag is in one environment: on or off, and for whom. Rules are edited as a draft
 * until they are saved, whatever is read of the flag meanwhile; where others have saved
 * something since, both are shown before one of them is lost.
 */
export function EnvironmentPanel(props: {
  flag: Flag;
  environment: FlagEnvironment;
}) {
  const { flag, environment } = props;
  const { name, strategies, problems } = environment;
  const { t } = useTranslationRef(flagsTranslationRef);
  const isEditable = useMayChange(flag.project) && !flag.archived;
  const [draft, setDraft] = useState<Draft>();
  const [isScheduling, setIsScheduling] = useState(false);
  const change = useChangeEnvironment(flag);
  const { mutate, error, isPending, reset, data: request } = change;
  const edit = (changed: readonly Strategy[]) =>
    setDraft({ strategies: changed, began: draft?.began ?? environment });
  const save = (etag: string) =>
    mutate(
      {
        environment: name,
        strategies: draft?.strategies.map(withTrimmedValues),
        etag,
      },
      { onSuccess: () => setDraft(undefined) },
    );
  const discard = () => {
    reset();
    setDraft(undefined);
  };
  const isConflict = readFailedCall(error).status === 412;
  return (
    <div data-edited={draft !== undefined}>
      <Panel
        title={name}
        action={
          isEditable &&
          !draft && (
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
                onPress={() => edit(strategies)}
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
          {error && !isConflict && (
            <SendFailure title={t('rollout.failed')} error={error} />
          )}
          {request && <Requested request={request} />}
          {problems && <Problems problems={problems} />}
          {draft ? (
            <>
              <p className={styles.quiet}>
                {t(
                  draft.strategies.length === 0
                    ? 'rollout.none'
                    : 'rollout.any',
                )}
              </p>
              <ul className={styles.strategies}>
                {draft.strategies.map((strategy, index) => (
                  // Rules that were just added have no ids, only their places.
                  <li key={index}>
                    <StrategyEditor
                      flag={flag.name}
                      strategy={strategy}
                      onChange={changed =>
                        edit(draft.strategies.with(index, changed))
                      }
                      onRemove={() =>
                        edit(draft.strategies.toSpliced(index, 1))
                      }
                    />
                  </li>
                ))}
              </ul>
              <div className={styles.actions}>
                <Button
                  variant="primary"
                  isPending={isPending}
                  onPress={() => save(tagFor(draft, environment))}
                >
                  {t(
                    environment.protected ? 'rollout.request' : 'rollout.save',
                  )}
                </Button>
                <Button variant="secondary" onPress={discard}>
                  {t('rollout.discard')}
                </Button>
                <Button
                  variant="tertiary"
                  onPress={() =>
                    edit([
                      ...draft.strategies,
                      // It lets nobody in yet: what is saved by mistake changes nothing.
                      newStrategy('flexibleRollout', {
                        flag: flag.name,
                        share: 0,
                      }),
                    ])
                  }
                >
                  {t('rollout.add')}
                </Button>
              </div>
            </>
          ) : (
            <RuleList strategies={strategies} />
          )}
        </div>
        {draft && isConflict && (
          <ConflictDialog
            name={flag.name}
            saved={strategies}
            draft={draft.strategies}
            onOverwrite={() => save(environment.etag)}
            onDiscard={discard}
            onClose={reset}
          />
        )}
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

/** Says what is out of the ordinary in an environment. */
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

/** Lists what SDKs cannot evaluate as it was meant, and whom it matches because of that. */
function Problems(props: {
  problems: NonNullable<FlagEnvironment['problems']>;
}) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <section aria-label={t('rollout.problems')}>
      <strong>{t('rollout.problems')}</strong>
      <ul>
        {props.problems.map(({ field, message }) => (
          <li key={field} className={styles.change}>
            {message} ({field})
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What to save a draft on: a flag that was only turned on or off meanwhile is none to ask about. */
function tagFor({ began }: Draft, now: FlagEnvironment): string {
  const isSame =
    JSON.stringify(began.strategies) === JSON.stringify(now.strategies);
  return isSame ? now.etag : began.etag;
}

function withTrimmedValues(strategy: Strategy): Strategy {
  const { constraints } = strategy;
  return constraints
    ? { ...strategy, constraints: trimmed(constraints) }
    : strategy;
}
