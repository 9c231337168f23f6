import { useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextField } from '@backstage/ui';
import { RiCheckLine, RiCloseLine } from '@remixicon/react';
import { actorName, useErrorWords, useTitles } from '@slipway/app-react';
import {
  ConfirmDialog,
  Panel,
  RelativeTime,
  useFocusNearby,
} from '@slipway/design-system';
import type { Approval, BuildRef, Decision } from '../api/BuildsApi';
import { useApprovals, useDecide } from '../queries';
import { faultOf, initialOf, ParameterField } from '../run/ParameterField';
import { buildsTranslationRef } from '../translation';
import styles from './BuildPage.module.css';

/** Shows a build's pending and past approvals; renders nothing if there are none. */
export function Approvals(props: { build: BuildRef; isRunning: boolean }) {
  const { build, isRunning } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data = [] } = useApprovals(build, isRunning);
  const list = useRef<HTMLUListElement>(null);
  useFocusNearby(list);
  return data.length === 0 ? null : (
    <Panel title={t('approval.title')}>
      <ul ref={list} className={styles.list}>
        {data.map(approval => (
          <li key={approval.step}>
            {approval.state === 'waiting' ? (
              <Waiting {...{ build, approval, isRunning }} />
            ) : (
              <Decided approval={approval} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Decided({ approval }: { approval: Approval }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { message, state, decidedBy, decidedAt, comment, values } = approval;
  const by = actorName(decidedBy ?? '');
  return (
    <>
      <span>{message}</span>
      <span className={styles.quiet}>
        {state === 'approved'
          ? t('approval.approved', { by })
          : t('approval.rejected', { by })}{' '}
        {decidedAt !== null && <RelativeTime value={decidedAt} />}
        {comment !== null && `: ${comment}`}
      </span>
      <Inputs values={values} />
    </>
  );
}

/** Shows the inputs of an approval, one per line. */
function Inputs({ values }: { values: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <span key={name} className={styles.quiet}>
          {name}: {value}
        </span>
      ))}
    </>
  );
}

function Waiting(props: {
  build: BuildRef;
  approval: Approval;
  isRunning: boolean;
}) {
  const { build, approval, isRunning } = props;
  const { step, message, by, inputs, openedAt } = approval;
  const { decidable, expired } = approval;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { mutateAsync } = useDecide(build);
  const errorWords = useErrorWords();
  const titleOf = useTitles(by ?? []);
  const [comment, setComment] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const [decision, setDecision] = useState<Decision['decision']>('approve');
  const [isAsking, setIsAsking] = useState(false);
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(inputs.map(input => [input.name, initialOf(input)])),
  );
  const isComplete = inputs.every(
    input => faultOf(input, values[input.name], t) === undefined,
  );
  const ask = (chosen: Decision['decision']) => {
    setIsChecked(chosen === 'approve');
    setDecision(chosen);
    setIsAsking(chosen === 'reject' || isComplete);
  };
  const decide = () =>
    mutateAsync({
      step,
      decision,
      ...(comment.trim() && { comment: comment.trim() }),
      ...(decision === 'approve' && inputs.length > 0 && { inputs: values }),
    });
  if (!isRunning || expired) {
    return (
      <>
        <span>{message}</span>
        <span className={styles.quiet}>
          {isRunning ? t('approval.late') : t('approval.never')}
        </span>
      </>
    );
  }
  return (
    <div className={styles.form}>
      <strong>{message}</strong>
      <span className={styles.quiet}>
        {by === null
          ? t('approval.byTriggers')
          : t('approval.by', { names: by.map(titleOf).join(', ') })}{' '}
        <RelativeTime value={openedAt} />
      </span>
      {decidable && (
        <>
          {inputs.map(input => (
            <ParameterField
              key={input.name}
              definition={input}
              value={values[input.name]}
              onChange={value =>
                setValues(before => ({ ...before, [input.name]: value }))
              }
              isChecked={isChecked}
            />
          ))}
          <TextField
            label={t('approval.comment')}
            value={comment}
            onChange={setComment}
            maxLength={2_000}
          />
          <div className={styles.actions}>
            <Button
              variant="primary"
              iconStart={<RiCheckLine />}
              onPress={() => ask('approve')}
            >
              {t('approval.approve')}
            </Button>
            <Button
              variant="secondary"
              iconStart={<RiCloseLine />}
              onPress={() => ask('reject')}
            >
              {t('approval.reject')}
            </Button>
          </div>
          <ConfirmDialog
            isOpen={isAsking}
            onOpenChange={setIsAsking}
            title={t(`approval.${decision}Title`, {
              job: build.job,
              number: String(build.number),
            })}
            confirmLabel={t(`approval.${decision}`)}
            destructive={decision === 'reject'}
            describeError={errorWords}
            onConfirm={decide}
          >
            <div className={styles.question}>
              <strong>{message}</strong>
              {decision === 'approve' && <Inputs values={values} />}
              <span>{t(`approval.${decision}Text`, { step })}</span>
            </div>
          </ConfirmDialog>
        </>
      )}
    </div>
  );
}
