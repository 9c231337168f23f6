import { type FormEvent, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Slider, TextField } from '@backstage/ui';
import { Loaded, SendFailure } from '@slipway/app-react';
import { Done, formatNumber, LoadingRows, Panel } from '@slipway/design-system';
import type {
  AssessmentForm,
  DimensionReport,
  LoadReceipt,
} from '../api/SpaceApi';
import { samplesText } from '../format/fieldValue';
import { shownOf } from '../format/fields';
import {
  useAssessmentForm,
  useDimension,
  useMyTeam,
  useSubmitAssessment,
} from '../queries';
import { type Translate, spaceTranslationRef } from '../translation';
import styles from './TaskLoadPage.module.css';

/** The cognitive load assessment, as defined by the service. */
export function TaskLoadPage() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const query = useAssessmentForm();
  const [receipt, setReceipt] = useState<LoadReceipt>();
  if (receipt) {
    return <LoadSent receipt={receipt} onAgain={() => setReceipt(undefined)} />;
  }
  return (
    <Panel title={query.data?.title ?? t('load.title')}>
      <Loaded
        query={query}
        failed={t('load.failed')}
        loading={<LoadingRows label={t('load.loading')} rows={6} />}
      >
        {form => <LoadForm form={form} onSent={setReceipt} />}
      </Loaded>
    </Panel>
  );
}

/** The form for a task and its answers on each scale. */
function LoadForm(props: {
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

/**
 * Shows one scale of the assessment. Its handle is in the middle until the user sets it, because a
 * default must not count as an answer.
 */
function LoadScale(props: {
  dimension: AssessmentForm['dimensions'][number];
  scale: AssessmentForm['scale'];
  /** undefined until the user sets it. */
  value: number | undefined;
  onChange(value: number): void;
}) {
  const { dimension, scale, value, onChange } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const { min, max, step } = scale;
  return (
    <div className={styles.scale} data-marked={value !== undefined}>
      <Slider
        label={dimension.label}
        secondaryLabel={value === undefined ? t('load.notMarked') : undefined}
        description={dimension.question}
        minValue={min}
        maxValue={max}
        step={step}
        value={value ?? (min + max) / 2}
        onChange={onChange}
        // Also called when the user presses the middle, which does not change the value but is an
        // answer.
        onChangeEnd={onChange}
      />
      <div className={styles.ends} aria-hidden>
        <span>
          {min} · {dimension.low_label}
        </span>
        <span>
          {dimension.high_label} · {max}
        </span>
      </div>
    </div>
  );
}

/** Shows the result for the task, and what others submitted. */
function LoadSent(props: { receipt: LoadReceipt; onAgain(): void }) {
  const { receipt, onAgain } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <Panel title={t('load.doneTitle')}>
      <div className={styles.done}>
        <Done>
          {t('load.done', { index: formatNumber(receipt.cognitiveLoadIndex) })}
        </Done>
        <OthersLoad />
        <Button size="small" variant="secondary" onPress={onAgain}>
          {t('load.again')}
        </Button>
      </div>
    </Panel>
  );
}

function OthersLoad() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { query } = useMyTeam();
  return (
    <Loaded
      query={useDimension('efficiency', query)}
      failed={t('others.failed')}
      loading={<LoadingRows label={t('others.loading')} rows={1} />}
    >
      {report => <p className={styles.quiet}>{othersWords(t, report)}</p>}
    </Loaded>
  );
}

function othersWords(t: Translate, report: DimensionReport): string {
  const load = shownOf('cognitive_load_index', report);
  switch (load.state) {
    case 'none':
      return t('load.othersNone');
    case 'hidden':
      return t('load.othersHidden', { count: report.minimumGroupSize });
    default:
      return t('load.others', {
        index: formatNumber(load.value),
        samples: samplesText(t, 'cognitive_load_index', load.samples) ?? '',
      });
  }
}
