import { type FormEvent, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import type { AssessmentForm, LoadReceipt } from '../../api/types';
import { useSubmitAssessment } from '../../data/useSubmissions';
import { spaceTranslationRef } from '../../translation';
import { LoadScale } from './LoadScale';
import styles from './TaskLoad.module.css';

/** A task and how it felt on each scale of the form. */
export function LoadForm(props: {
  form: AssessmentForm;
  onSent(receipt: LoadReceipt): void;
}) {
  const { form, onSent } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const [task, setTask] = useState('');
  const [scores, setScores] = useState<Record<string, number>>({});
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useSubmitAssessment();
  const isNamed = task.trim() !== '';
  const unmarked = form.dimensions.filter(({ id }) => !(id in scores)).length;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (isNamed && unmarked === 0 && !isPending) {
      mutate({ task: task.trim(), scores }, { onSuccess: onSent });
    }
  };
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p className={styles.quiet}>{form.instructions}</p>
      {error && <SendFailure title={t('load.sendFailed')} error={error} />}
      <TextField
        label={t('load.task')}
        description={t('load.taskHelp')}
        maxLength={1_000}
        value={task}
        onChange={setTask}
        validationBehavior="aria"
        validate={() => !isChecked || isNamed || t('load.taskMissing')}
      />
      {form.dimensions.map(dimension => (
        <LoadScale
          key={dimension.id}
          dimension={dimension}
          scale={form.scale}
          value={scores[dimension.id]}
          onChange={value =>
            setScores(current => ({ ...current, [dimension.id]: value }))
          }
        />
      ))}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={isPending}>
          {t('load.submit')}
        </Button>
        <span role="status" className={styles.missing}>
          {isChecked &&
            unmarked > 0 &&
            t('load.untouched', { count: unmarked })}
        </span>
      </div>
    </form>
  );
}
