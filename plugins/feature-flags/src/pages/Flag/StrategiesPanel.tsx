import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  DialogHeader,
} from '@backstage/ui';
import { readFailedCall, SendFailure } from '@slipway/app-react';
import { Panel } from '@slipway/design-system';
import type { Flag, FlagProblem, Strategy } from '../../api/FlagsApi';
import { trimmed } from '../../components/ConstraintsEditor';
import { useMayChange, useUpdateFlag } from '../../queries';
import { flagsTranslationRef } from '../../translation';
import { newStrategy, strategyText } from './strategies';
import { StrategyEditor } from './StrategyEditor';
import styles from './Flag.module.css';

/** What somebody is editing, and the flag as it was when that began. */
interface Draft {
  strategies: readonly Strategy[];
  began: Pick<Flag, 'strategies' | 'etag'>;
}

/**
 * Edits for whom a flag is on, while it is on. Changes are a draft until they are saved,
 * whatever is read of the flag meanwhile; where others have saved something since, both
 * are shown before one of them is lost.
 */
export function StrategiesPanel({ flag }: { flag: Flag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const isEditable = useMayChange() && !flag.archived;
  const [draft, setDraft] = useState<Draft>();
  const { mutate, error, isPending, reset } = useUpdateFlag(flag.name);
  const strategies = draft?.strategies ?? flag.strategies;
  const edit = (changed: readonly Strategy[]) =>
    setDraft({ strategies: changed, began: draft ? draft.began : flag });
  const save = (etag: string | undefined) =>
    mutate(
      { strategies: strategies.map(withTrimmedValues), etag },
      { onSuccess: () => setDraft(undefined) },
    );
  const discard = () => {
    reset();
    setDraft(undefined);
  };
  const isConflict = readFailedCall(error).status === 412;
  return (
    <Panel
      title={t('rollout.title')}
      action={
        isEditable && (
          <Button
            size="small"
            variant="tertiary"
            onPress={() =>
              edit([
                ...strategies,
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
        )
      }
    >
      <div className={styles.stack}>
        <p className={styles.quiet}>
          {t(strategies.length === 0 ? 'rollout.none' : 'rollout.any')}
        </p>
        {error && !isConflict && (
          <SendFailure title={t('rollout.failed')} error={error} />
        )}
        {flag.problems && <Problems problems={flag.problems} />}
        <ul className={styles.strategies}>
          {strategies.map((strategy, index) => (
            // Strategies have no names of their own, only their places.
            <li key={index}>
              <StrategyEditor
                flag={flag.name}
                strategy={strategy}
                isEditable={isEditable}
                onChange={changed => edit(strategies.with(index, changed))}
                onRemove={() => edit(strategies.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ul>
        {draft && (
          <div className={styles.actions}>
            <Button
              variant="primary"
              isPending={isPending}
              onPress={() => save(tagFor(draft, flag))}
            >
              {t('rollout.save')}
            </Button>
            <Button variant="secondary" onPress={discard}>
              {t('rollout.discard')}
            </Button>
          </div>
        )}
      </div>
      {draft && isConflict && (
        <ConflictDialog
          flag={flag}
          draft={draft.strategies}
          onOverwrite={() => save(flag.etag)}
          onDiscard={discard}
          onClose={reset}
        />
      )}
    </Panel>
  );
}

/** Shows the rules that others have saved and those of a draft, before one of them is lost. */
function ConflictDialog(props: {
  flag: Flag;
  draft: readonly Strategy[];
  onOverwrite(): void;
  onDiscard(): void;
  onClose(): void;
}) {
  const { flag, draft, onOverwrite, onDiscard, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const rules = (strategies: readonly Strategy[]) =>
    strategies.length === 0 ? (
      <p>{t('conflict.everyone')}</p>
    ) : (
      <ul>
        {strategies.map((strategy, index) => (
          <li key={index}>{strategyText(strategy)}</li>
        ))}
      </ul>
    );
  return (
    <Dialog
      isOpen
      onOpenChange={isOpen => {
        if (!isOpen) {
          onClose();
        }
      }}
      width="min(640px, calc(100vw - 32px))"
    >
      <DialogHeader>{t('conflict.title', { name: flag.name })}</DialogHeader>
      <DialogBody>
        <div className={styles.stack}>
          <p>{t('conflict.text')}</p>
          <section aria-label={t('conflict.saved')}>
            <strong>{t('conflict.saved')}</strong>
            {rules(flag.strategies)}
          </section>
          <section aria-label={t('conflict.draft')}>
            <strong>{t('conflict.draft')}</strong>
            {rules(draft)}
          </section>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onPress={onDiscard}>
          {t('conflict.discard')}
        </Button>
        <Button variant="primary" destructive onPress={onOverwrite}>
          {t('conflict.overwrite')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** Lists what SDKs cannot evaluate as it was meant, and whom it matches because of that. */
function Problems({ problems }: { problems: readonly FlagProblem[] }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <section aria-label={t('rollout.problems')}>
      <strong>{t('rollout.problems')}</strong>
      <ul>
        {problems.map(({ field, message }) => (
          <li key={field} className={styles.change}>
            {message} ({field})
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What to save a draft on: a flag that was only turned on or off meanwhile is none to ask about. */
function tagFor({ began }: Draft, flag: Flag): string | undefined {
  const isSame =
    JSON.stringify(began.strategies) === JSON.stringify(flag.strategies);
  return isSame ? flag.etag : began.etag;
}

function withTrimmedValues(strategy: Strategy): Strategy {
  const { constraints } = strategy;
  return constraints
    ? { ...strategy, constraints: trimmed(constraints) }
    : strategy;
}
