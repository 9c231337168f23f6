import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { Panel } from '@slipway/design-system';
import type { Flag } from '../../api/types';
import { useUpdateFlag } from '../../data/useChanges';
import { useMayChange } from '../../data/useFlags';
import { flagsTranslationRef } from '../../translation';
import { newStrategy } from './strategies';
import { StrategyEditor } from './StrategyEditor';
import styles from './Flag.module.css';

/** Edits for whom a flag is on, while it is on. Changes are a draft until they are saved. */
export function StrategiesPanel({ flag }: { flag: Flag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const isEditable = useMayChange() && !flag.archived;
  const [draft, setDraft] = useState(flag.strategies);
  const { mutate, error, isPending } = useUpdateFlag(flag.name);
  const isDirty = draft !== flag.strategies;
  return (
    <Panel
      title={t('rollout.title')}
      action={
        isEditable && (
          <Button
            size="small"
            variant="tertiary"
            onPress={() =>
              setDraft([...draft, newStrategy('default', { flag: flag.name })])
            }
          >
            {t('rollout.add')}
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        <p className={styles.quiet}>
          {t(draft.length === 0 ? 'rollout.none' : 'rollout.any')}
        </p>
        {error && <SendFailure title={t('rollout.failed')} error={error} />}
        <ul className={styles.strategies}>
          {draft.map((strategy, index) => (
            // Strategies have no names of their own, only their places.
            <li key={index}>
              <StrategyEditor
                flag={flag.name}
                strategy={strategy}
                isEditable={isEditable}
                onChange={changed => setDraft(draft.with(index, changed))}
                onRemove={() => setDraft(draft.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ul>
        {isDirty && (
          <div className={styles.actions}>
            <Button
              variant="primary"
              isPending={isPending}
              onPress={() => mutate({ strategies: draft })}
            >
              {t('rollout.save')}
            </Button>
            <Button
              variant="secondary"
              onPress={() => setDraft(flag.strategies)}
            >
              {t('rollout.discard')}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
