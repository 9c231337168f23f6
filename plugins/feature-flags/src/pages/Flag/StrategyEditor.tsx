import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  ButtonIcon,
  Checkbox,
  NumberField,
  Select,
  Slider,
  TextField,
} from '@backstage/ui';
import {
  RiArrowDownLine,
  RiArrowUpLine,
  RiDeleteBinLine,
} from '@remixicon/react';
import { Details } from '@slipway/design-system';
import type { Strategy } from '../../api/flags';
import { ConstraintsEditor } from '../../components/ConstraintsEditor';
import { StickinessSelect } from '../../components/StickinessSelect';
import {
  isKnownStrategy,
  shareOf,
  SHARES,
  STRATEGIES,
  withKind,
  withShare,
} from '../../components/strategies';
import { VariantsEditor } from '../../components/VariantsEditor';
import { useSegments } from '../../queries/registers';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

/** Edits a rule: strategy, title, percentage, segments, constraints, variants, and its place in the list. */
export function StrategyEditor(props: {
  flag: string;
  strategy: Strategy;
  onChange(strategy: Strategy): void;
  onRemove(): void;
  /** Undefined for the first rule. */
  onMoveUp?(): void;
  /** Undefined for the last rule. */
  onMoveDown?(): void;
}) {
  const { flag, strategy, onChange, onRemove, onMoveUp, onMoveDown } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { name, parameters, constraints = [] } = strategy;
  const { segments = [], variants = [], disabled } = strategy;
  const share = shareOf(strategy);
  const { data: known = [] } = useSegments();
  const nameOf = (id: number) =>
    known.find(segment => segment.id === id)?.name ?? String(id);
  const label = (kind: string) =>
    isKnownStrategy(kind) ? t(`strategy.${kind}`) : kind;
  const isFlexible = name === 'flexibleRollout';
  const facts = Object.entries(parameters)
    // The fields above show these already.
    .filter(([key]) => key !== SHARES[name])
    .filter(([key]) => !(isFlexible && key === 'stickiness'))
    .map(([key, value]) => ({
      label: key === 'groupId' ? t('rollout.group') : key,
      value: value || '–',
    }));
  return (
    <div className={styles.strategy}>
      <div className={styles.strategyHead}>
        <Select
          label={t('rollout.who')}
          value={name}
          onChange={key =>
            key !== null &&
            key !== name &&
            onChange(withKind(strategy, String(key), { flag }))
          }
          options={[...new Set([...STRATEGIES, name])].map(id => ({
            id,
            label: label(id),
          }))}
        />
        {(onMoveUp || onMoveDown) && (
          <>
            <ButtonIcon
              variant="tertiary"
              aria-label={t('rollout.up', { strategy: label(name) })}
              icon={<RiArrowUpLine size={16} />}
              isDisabled={!onMoveUp}
              onPress={onMoveUp}
            />
            <ButtonIcon
              variant="tertiary"
              aria-label={t('rollout.down', { strategy: label(name) })}
              icon={<RiArrowDownLine size={16} />}
              isDisabled={!onMoveDown}
              onPress={onMoveDown}
            />
          </>
        )}
        <ButtonIcon
          variant="tertiary"
          aria-label={t('rollout.remove', { strategy: label(name) })}
          icon={<RiDeleteBinLine size={16} />}
          onPress={onRemove}
        />
      </div>
      <TextField
        label={t('rollout.name')}
        maxLength={200}
        value={strategy.title ?? ''}
        onChange={title => onChange({ ...strategy, title })}
      />
      {share !== undefined && (
        <div className={styles.share}>
          <Slider
            label={t('rollout.share')}
            minValue={0}
            maxValue={100}
            step={1}
            value={share}
            formatOptions={{ style: 'unit', unit: 'percent' }}
            onChange={value => onChange(withShare(strategy, Number(value)))}
          />
          <NumberField
            aria-label={t('rollout.percentage')}
            size="small"
            minValue={0}
            maxValue={100}
            step={1}
            value={share}
            onChange={value =>
              Number.isFinite(value) && onChange(withShare(strategy, value))
            }
          />
        </div>
      )}
      {isFlexible && (
        <div className={styles.stickiness}>
          <StickinessSelect
            value={parameters.stickiness ?? 'default'}
            onChange={stickiness =>
              onChange({
                ...strategy,
                parameters: { ...parameters, stickiness },
              })
            }
          />
        </div>
      )}
      {known.length > 0 && (
        <fieldset className={styles.segments}>
          <legend>{t('rollout.segments')}</legend>
          {[...new Set([...known.map(({ id }) => id), ...segments])].map(id => (
            <Checkbox
              key={id}
              isSelected={segments.includes(id)}
              onChange={isChosen =>
                onChange({
                  ...strategy,
                  segments: isChosen
                    ? [...segments, id]
                    : segments.filter(each => each !== id),
                })
              }
            >
              {nameOf(id)}
            </Checkbox>
          ))}
        </fieldset>
      )}
      <ConstraintsEditor
        constraints={constraints}
        onChange={changed => onChange({ ...strategy, constraints: changed })}
      />
      <VariantsEditor
        title={t('rollout.variants')}
        addLabel={t('variant.add')}
        variants={variants}
        onChange={changed => onChange({ ...strategy, variants: changed })}
      />
      <Checkbox
        isSelected={disabled ?? false}
        onChange={isDisabled => onChange({ ...strategy, disabled: isDisabled })}
      >
        {t('rollout.disable')}
      </Checkbox>
      {facts.length > 0 && <Details items={facts} />}
    </div>
  );
}
