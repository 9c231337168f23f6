import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Checkbox, Combobox, Select } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Dependency, FlagName, ListedFlag } from '../../api/flags';
import { useFlags, useSetDependency } from '../../queries/flags';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

const CONDITIONS = ['on', 'off', 'variants'] as const;
type Condition = (typeof CONDITIONS)[number];

/** Adds a parent flag, or changes what a flag requires of it. */
export function ParentDialog(props: {
  flag: FlagName;
  /** Undefined to add a parent. */
  dependency: Dependency | undefined;
  /** The production environment in which the flag is on, if any. */
  production: string | undefined;
  onClose(): void;
}) {
  const { flag, dependency, production, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: flags = [] } = useFlags(false);
  const { mutate, error, isPending } = useSetDependency(flag);
  const [parent, setParent] = useState(dependency?.feature ?? null);
  const [condition, setCondition] = useState(conditionOf(dependency));
  const [chosen, setChosen] = useState(dependency?.variants ?? []);
  const [isChecked, setIsChecked] = useState(false);
  const found = flags.find(({ name }) => name === parent);
  const variants = new Set([...variantsOf(found), ...chosen]);
  const isComplete =
    parent !== null && (condition !== 'variants' || chosen.length > 0);
  const onSubmit = () => {
    setIsChecked(true);
    if (isComplete) {
      mutate(
        {
          feature: parent,
          enabled: condition !== 'off',
          ...(condition === 'variants' && { variants: chosen }),
        },
        { onSuccess: onClose },
      );
    }
  };
  const title = dependency
    ? t('parents.editNamed', { name: dependency.feature })
    : t('parents.add');
  return (
    <OpenDialog title={title} onClose={onClose}>
      <DialogForm
        submitLabel={t(dependency ? 'parents.save' : 'parents.add')}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        {error && <SendFailure title={t('parents.failed')} error={error} />}
        {production && (
          <p className={styles.quiet}>
            {t('parents.production', { environment: production })}
          </p>
        )}
        {!dependency && (
          <Combobox
            label={t('parents.flag')}
            value={parent}
            onChange={key => {
              setParent(key === null ? null : String(key));
              setCondition('on');
              setChosen([]);
            }}
            options={flags.map(({ name }) => ({ value: name, label: name }))}
            isInvalid={isChecked && parent === null}
          />
        )}
        {isChecked && parent === null && (
          <span className={styles.problem} role="alert">
            {t('parents.flagMissing')}
          </span>
        )}
        <Select
          label={t('parents.condition')}
          value={condition}
          onChange={key => key !== null && setCondition(key as Condition)}
          options={CONDITIONS.filter(
            id => id !== 'variants' || variants.size > 0,
          ).map(id => ({ id, label: t(`parents.conditions.${id}`) }))}
        />
        {condition === 'variants' && (
          <fieldset className={styles.segments}>
            <legend>{t('parents.variants')}</legend>
            {[...variants].map(variant => (
              <Checkbox
                key={variant}
                isSelected={chosen.includes(variant)}
                onChange={isChosen =>
                  setChosen(
                    isChosen
                      ? [...chosen, variant]
                      : chosen.filter(each => each !== variant),
                  )
                }
              >
                {variant}
              </Checkbox>
            ))}
          </fieldset>
        )}
        {isChecked && condition === 'variants' && chosen.length === 0 && (
          <span className={styles.problem} role="alert">
            {t('parents.variantsMissing')}
          </span>
        )}
      </DialogForm>
    </OpenDialog>
  );
}

function conditionOf(dependency: Dependency | undefined): Condition {
  if (dependency?.variants?.length) {
    return 'variants';
  }
  return dependency?.enabled === false ? 'off' : 'on';
}

/** Lists the names of the variants of a flag and of its rules, in any environment. */
function variantsOf(flag: ListedFlag | undefined): string[] {
  const environments = flag?.environments ?? [];
  return environments.flatMap(({ variants, strategies }) =>
    [
      ...variants,
      ...strategies.flatMap(strategy => strategy.variants ?? []),
    ].map(({ name }) => name),
  );
}
