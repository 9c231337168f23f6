import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  ButtonIcon,
  NumberField,
  Select,
  TextField,
} from '@backstage/ui';
import { RiDeleteBinLine } from '@remixicon/react';
import type { Variant } from '../api/flags';
import { flagsTranslationRef } from '../translation';
import { OverridesEditor } from './OverridesEditor';
import { StickinessSelect } from './StickinessSelect';
import { totalPercent, withAnother, withSharedWeights } from './variants';
import styles from './VariantsEditor.module.css';

const PAYLOADS = ['none', 'string', 'number', 'json', 'csv'] as const;

/**
 * Edits the variants of a rule or of a flag: their shares, and their payloads for applications.
 *
 * @param props.help - says who gets the variants; shown even without any.
 */
export function VariantsEditor(props: {
  title: string;
  help?: string;
  addLabel: string;
  variants: readonly Variant[];
  onChange(variants: readonly Variant[]): void;
}) {
  const { title, help, addLabel, variants, onChange } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const total = totalPercent(variants);
  return (
    <section className={styles.list} aria-label={title}>
      {(variants.length > 0 || help) && (
        <span className={styles.title}>{title}</span>
      )}
      {help && <p className={styles.help}>{help}</p>}
      {variants.map((variant, index) => (
        // Names change while they are typed, so the index identifies a variant.
        <VariantRow
          key={index}
          number={index + 1}
          variant={variant}
          onChange={changed =>
            onChange(withSharedWeights(variants.with(index, changed)))
          }
          onRemove={() =>
            onChange(withSharedWeights(variants.toSpliced(index, 1)))
          }
        />
      ))}
      {variants.length > 0 && total !== 100 && (
        <p className={styles.problem} role="status">
          {t('variant.total', { percent: String(total) })}
        </p>
      )}
      {variants.length > 0 && (
        <div className={styles.stickiness}>
          <StickinessSelect
            // SDKs only use the stickiness of the first variant.
            value={variants[0].stickiness ?? 'default'}
            onChange={stickiness =>
              onChange(variants.map(variant => ({ ...variant, stickiness })))
            }
          />
        </div>
      )}
      <div>
        <Button
          size="small"
          variant="tertiary"
          onPress={() => onChange(withAnother(variants))}
        >
          {addLabel}
        </Button>
      </div>
    </section>
  );
}

function VariantRow(props: {
  number: number;
  variant: Variant;
  onChange(variant: Variant): void;
  onRemove(): void;
}) {
  const { variant, onChange, onRemove } = props;
  const { name, weight, weightType, payload } = variant;
  const { t } = useTranslationRef(flagsTranslationRef);
  const isFixed = weightType === 'fix';
  const kinds = new Set<string>([...PAYLOADS, payload?.type ?? 'none']);
  return (
    <div
      className={styles.row}
      role="group"
      aria-label={t('variant.named', { number: String(props.number) })}
    >
      <TextField
        label={t('variant.name')}
        maxLength={100}
        value={name}
        onChange={changed => onChange({ ...variant, name: changed })}
      />
      <NumberField
        label={t('variant.share')}
        minValue={0}
        maxValue={100}
        step={0.1}
        value={weight / 10}
        onChange={percent =>
          Number.isFinite(percent) &&
          Math.round(percent * 10) !== weight &&
          onChange({
            ...variant,
            weight: Math.round(percent * 10),
            weightType: 'fix',
          })
        }
      />
      <Select
        label={t('variant.sharing')}
        value={isFixed ? 'fix' : 'variable'}
        onChange={key =>
          key !== null && onChange({ ...variant, weightType: String(key) })
        }
        options={(['variable', 'fix'] as const).map(id => ({
          id,
          label: t(`variant.sharings.${id}`),
        }))}
      />
      <Select
        label={t('variant.payload')}
        value={payload?.type ?? 'none'}
        onChange={key => {
          const { payload: _before, ...rest } = variant;
          onChange(
            key === 'none'
              ? rest
              : {
                  ...rest,
                  payload: { type: String(key), value: payload?.value ?? '' },
                },
          );
        }}
        options={[...kinds].map(id => ({
          id,
          label: isPayload(id) ? t(`variant.payloads.${id}`) : id,
        }))}
      />
      <ButtonIcon
        className={styles.remove}
        variant="tertiary"
        aria-label={t('variant.remove', { name })}
        icon={<RiDeleteBinLine size={16} />}
        onPress={onRemove}
      />
      {payload && (
        <div className={styles.value}>
          <TextField
            label={t('variant.value')}
            value={payload.value ?? ''}
            onChange={value =>
              onChange({ ...variant, payload: { ...payload, value } })
            }
          />
        </div>
      )}
      <OverridesEditor
        variant={name}
        overrides={variant.overrides ?? []}
        onChange={overrides => onChange({ ...variant, overrides })}
      />
    </div>
  );
}

function isPayload(type: string): type is (typeof PAYLOADS)[number] {
  return (PAYLOADS as readonly string[]).includes(type);
}
