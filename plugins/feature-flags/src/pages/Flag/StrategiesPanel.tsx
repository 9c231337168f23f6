import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, ButtonIcon, Select, Slider } from '@backstage/ui';
import { RiDeleteBinLine } from '@remixicon/react';
import { SendFailure } from '@slipway/app-react';
import { Details, Panel } from '@slipway/design-system';
import type { Flag, Strategy } from '../../api/FlagsApi';
import { useMayChange, useUpdateFlag } from '../../queries';
import { flagsTranslationRef } from '../../translation';
import {
  isKnownStrategy,
  newStrategy,
  shareOf,
  SHARES,
  STRATEGIES,
  withShare,
} from './strategies';
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

/** One strategy: its kind, and how many it lets in where it goes by a share. */
function StrategyEditor(props: {
  flag: string;
  strategy: Strategy;
  isEditable: boolean;
  onChange(strategy: Strategy): void;
  onRemove(): void;
}) {
  const { flag, strategy, isEditable, onChange, onRemove } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { name, parameters, constraints = [] } = strategy;
  const share = shareOf(strategy);
  const label = (kind: string) =>
    isKnownStrategy(kind) ? t(`strategy.${kind}`) : kind;
  const facts = [
    ...Object.entries(parameters)
      // The slider shows it already.
      .filter(([key]) => !isEditable || key !== SHARES[name])
      .map(([key, value]) => ({ label: key, value: value || '–' })),
    ...(constraints.length > 0
      ? [{ label: t('rollout.constraints'), value: constraints.length }]
      : []),
  ];
  return (
    <div className={styles.strategy}>
      {isEditable && (
        <div className={styles.strategyHead}>
          <Select
            label={t('rollout.who')}
            value={name}
            onChange={key =>
              key !== null &&
              key !== name &&
              onChange(newStrategy(String(key), { flag, share }))
            }
            options={[...new Set([...STRATEGIES, name])].map(id => ({
              id,
              label: label(id),
            }))}
          />
          <ButtonIcon
            variant="tertiary"
            aria-label={t('rollout.remove', { strategy: label(name) })}
            icon={<RiDeleteBinLine size={16} />}
            onPress={onRemove}
          />
        </div>
      )}
      {!isEditable && <strong>{label(name)}</strong>}
      {isEditable && share !== undefined && (
        <Slider
          label={t('rollout.share')}
          minValue={0}
          maxValue={100}
          step={1}
          value={share}
          formatOptions={{ style: 'unit', unit: 'percent' }}
          onChange={value => onChange(withShare(strategy, Number(value)))}
        />
      )}
      {facts.length > 0 && <Details items={facts} />}
    </div>
  );
}
