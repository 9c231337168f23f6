import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonIcon, Select, Slider } from '@backstage/ui';
import { RiDeleteBinLine } from '@remixicon/react';
import { Details } from '@slipway/design-system';
import type { Strategy } from '../../api/types';
import { flagsTranslationRef } from '../../translation';
import {
  isKnownStrategy,
  newStrategy,
  SHARES,
  shareOf,
  STRATEGIES,
  withShare,
} from './strategies';
import styles from './Flag.module.css';

/** One strategy: its kind, and how many it lets in where it goes by a share. */
export function StrategyEditor(props: {
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
