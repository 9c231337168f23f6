import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  DialogBody,
  DialogFooter,
  NumberField,
  Radio,
  RadioGroup,
  Select,
  TextAreaField,
} from '@backstage/ui';
import { Loaded, SendFailure } from '@slipway/app-react';
import {
  DialogForm,
  Done,
  LoadingRows,
  OpenDialog,
} from '@slipway/design-system';
import { type Friction, SEVERITIES, type Severity } from '../api/SpaceApi';
import { formatMinutes } from '../format/fieldValue';
import { useMyTeam, useSubmitFriction, useTopFriction } from '../queries';
import { spaceTranslationRef } from '../translation';
import { CATEGORIES, categoryName, FrictionLines } from './FrictionLines';
import styles from './friction.module.css';

/** A dialog to log friction from any page; afterwards shows what others logged. */
export function LogFrictionDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const [logged, setLogged] = useState<Friction>();
  return (
    <OpenDialog
      title={t(logged ? 'logFriction.doneTitle' : 'logFriction.title')}
      onClose={onClose}
      width={600}
    >
      {logged ? (
        <FrictionLogged
          friction={logged}
          onAnother={() => setLogged(undefined)}
        />
      ) : (
        <LogFrictionForm onLogged={setLogged} />
      )}
    </OpenDialog>
  );
}

/** The form of a friction entry: what happened, its severity and duration. Content of a Dialog. */
function LogFrictionForm(props: { onLogged(friction: Friction): void }) {
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
        // The description is the main field of the dialog.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label={t('logFriction.description')}
        description={t('logFriction.descriptionHelp')}
        rows={3}
        maxLength={10_000}
        value={description}
        onChange={setDescription}
        // Errors are shown after the first submit, but the browser must not block it: the form
        // validates itself.
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

/** The most common durations, in minutes. */
const QUICK = [15, 30, 60, 240];

/** A duration in minutes, entered as a number or selected from common values. */
function MinutesField(props: {
  value: number | undefined;
  onChange(value: number | undefined): void;
  isMissing: boolean;
}) {
  const { value, onChange, isMissing } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <div>
      <NumberField
        label={t('logFriction.minutes')}
        minValue={0}
        maxValue={120_000}
        step={1}
        value={value ?? NaN}
        onChange={next => onChange(Number.isNaN(next) ? undefined : next)}
        validationBehavior="aria"
        validate={() => !isMissing || t('logFriction.minutesMissing')}
      />
      <div
        className={styles.quick}
        role="group"
        aria-label={t('logFriction.quick')}
      >
        {QUICK.map(minutes => (
          <Button
            key={minutes}
            size="small"
            variant="tertiary"
            onPress={() => onChange(minutes)}
          >
            {formatMinutes(minutes)}
          </Button>
        ))}
      </div>
    </div>
  );
}

const SHOWN = 3;

/** Content of a dialog that confirms the entry and shows what others logged. */
function FrictionLogged(props: { friction: Friction; onAnother(): void }) {
  const { friction, onAnother } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <>
      <DialogBody>
        <div className={styles.done}>
          <Done>
            {t('logFriction.done', {
              category: categoryName(t, friction.category),
              duration: formatMinutes(friction.minutesLost),
            })}
          </Done>
          <h3>{t('logFriction.others')}</h3>
          <OthersFriction />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onPress={onAnother}>
          {t('logFriction.another')}
        </Button>
        <Button variant="primary" slot="close">
          {t('logFriction.close')}
        </Button>
      </DialogFooter>
    </>
  );
}

function OthersFriction() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { query } = useMyTeam();
  return (
    <Loaded
      query={useTopFriction(query)}
      failed={t('friction.failed')}
      loading={<LoadingRows label={t('friction.loading')} rows={SHOWN} />}
    >
      {({ items, minimumGroupSize }) =>
        items.length === 0 ? (
          <p className={styles.quiet}>
            {t('logFriction.othersNone', { count: minimumGroupSize })}
          </p>
        ) : (
          <FrictionLines items={items.slice(0, SHOWN)} />
        )
      }
    </Loaded>
  );
}
