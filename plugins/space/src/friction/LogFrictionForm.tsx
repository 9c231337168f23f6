import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Radio, RadioGroup, Select, TextAreaField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm } from '@slipway/design-system';
import { type Friction, SEVERITIES, type Severity } from '../api/types';
import { useSubmitFriction } from '../data/useSubmissions';
import { spaceTranslationRef } from '../translation';
import { CATEGORIES, categoryName } from './categories';
import { MinutesField } from './MinutesField';
import styles from './friction.module.css';

/** What got in the way, how badly and how long. Content of a Dialog. */
export function LogFrictionForm(props: { onLogged(friction: Friction): void }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const [category, setCategory] = useState<string>(CATEGORIES[0]);
  const [description, setDescription] = useState('');
  const [severity, setSeverity] = useState<Severity>('medium');
  const [minutes, setMinutes] = useState<number>();
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useSubmitFriction();
  const isDescribed = description.trim() !== '';

  const onSubmit = () => {
    setIsChecked(true);
    if (isDescribed && minutes !== undefined) {
      const friction = {
        category,
        description: description.trim(),
        severity,
        minutesLost: minutes,
      };
      mutate(friction, { onSuccess: () => props.onLogged(friction) });
    }
  };

  return (
    <DialogForm
      submitLabel={t('logFriction.submit')}
      isPending={isPending}
      onSubmit={onSubmit}
    >
      {error && <SendFailure title={t('logFriction.failed')} error={error} />}
      <TextAreaField
        // The description is what the dialog is about.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label={t('logFriction.description')}
        description={t('logFriction.descriptionHelp')}
        rows={3}
        maxLength={10_000}
        value={description}
        onChange={setDescription}
        // Shown once sending was tried, and never in its way: the form decides.
        validationBehavior="aria"
        validate={() =>
          !isChecked || isDescribed || t('logFriction.descriptionMissing')
        }
      />
      <div className={styles.pair}>
        <Select
          label={t('logFriction.category')}
          value={category}
          onChange={key => key !== null && setCategory(String(key))}
          options={CATEGORIES.map(id => ({
            id,
            label: categoryName(t, id),
          }))}
        />
        <MinutesField
          value={minutes}
          onChange={setMinutes}
          isMissing={isChecked && minutes === undefined}
        />
      </div>
      <RadioGroup
        label={t('logFriction.severity')}
        orientation="horizontal"
        value={severity}
        onChange={value => setSeverity(value as Severity)}
      >
        {SEVERITIES.map(value => (
          <Radio key={value} value={value}>
            {t(`severity.${value}`)}
          </Radio>
        ))}
      </RadioGroup>
    </DialogForm>
  );
}
