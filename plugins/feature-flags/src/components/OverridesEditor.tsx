import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, ButtonIcon, Select, TextField } from '@backstage/ui';
import { RiDeleteBinLine } from '@remixicon/react';
import type { Variant } from '../api/flags';
import { useContextFields } from '../queries/registers';
import { flagsTranslationRef } from '../translation';
import styles from './VariantsEditor.module.css';

type Overrides = NonNullable<Variant['overrides']>;

/** Edits the contexts that get a variant regardless of its weight. */
export function OverridesEditor(props: {
  /** The name of the variant. */
  variant: string;
  overrides: Overrides;
  onChange(overrides: Overrides): void;
}) {
  const { variant, overrides, onChange } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: fields = [] } = useContextFields();
  return (
    <div className={styles.value}>
      {overrides.map(({ contextName, values }, index) => (
        <div
          key={index}
          className={styles.override}
          role="group"
          aria-label={t('override.named', { name: variant })}
        >
          <Select
            label={t('override.field')}
            value={contextName}
            onChange={key =>
              key !== null &&
              onChange(
                overrides.with(index, { contextName: String(key), values }),
              )
            }
            options={[
              ...new Set([...fields.map(({ name }) => name), contextName]),
            ].map(id => ({ id, label: id }))}
          />
          <TextField
            label={t('override.values')}
            description={t('constraint.valuesHelp')}
            // Kept as typed, so that a comma at the end is not lost.
            value={values.join(',')}
            onChange={text =>
              onChange(
                overrides.with(index, {
                  contextName,
                  values: text === '' ? [] : text.split(','),
                }),
              )
            }
          />
          <ButtonIcon
            variant="tertiary"
            aria-label={t('override.remove', { name: variant })}
            icon={<RiDeleteBinLine size={16} />}
            onPress={() => onChange(overrides.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button
        size="small"
        variant="tertiary"
        aria-label={t('override.addNamed', { name: variant })}
        onPress={() =>
          onChange([...overrides, { contextName: 'userId', values: [] }])
        }
      >
        {t('override.add')}
      </Button>
    </div>
  );
}
