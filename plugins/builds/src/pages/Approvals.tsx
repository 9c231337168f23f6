import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextField } from '@backstage/ui';
import { RiCheckLine, RiCloseLine } from '@remixicon/react';
import { SendFailure } from '@slipway/app-react';
import { Panel, RelativeTime } from '@slipway/design-system';
import type { Approval, BuildRef } from '../api/BuildsApi';
import { useApprovals, useDecide } from '../queries';
import { faultOf, initialOf, ParameterField } from '../run/ParameterField';
import { buildsTranslationRef } from '../translation';
import styles from './BuildPage.module.css';

/** Shows a build's pending and past approvals; renders nothing if there are none. */
export function Approvals(props: { build: BuildRef; isRunning: boolean }) {
  const { build, isRunning } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data = [] } = useApprovals(build, isRunning);
  return data.length === 0 ? null : (
    <Panel title={t('approval.title')}>
      <ul className={styles.list}>
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
  const { message, state, decidedBy, decidedAt, comment } = approval;
  const by = shortName(decidedBy ?? '');
  return (
    <>
      <span>{message}</span>
      <span className={styles.quiet}>
        {state === 'approved'
          ? t('approval.approved', { by })
          : t('approval.rejected', { by })}{' '}
        {decidedAt !== null && (
          <RelativeTime value={new Date(decidedAt).toISOString()} />
        )}
        {comment !== null && `: ${comment}`}
      </span>
    </>
  );
}

function Waiting(props: {
  build: BuildRef;
  approval: Approval;
  isRunning: boolean;
}) {
  const { build, approval, isRunning } = props;
  const { step, message, by, inputs, decidable, openedAt } = approval;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { mutate, error, isPending } = useDecide(build);
  const [comment, setComment] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(inputs.map(input => [input.name, initialOf(input)])),
  );
  const isComplete = inputs.every(
    input => faultOf(input, values[input.name], t) === undefined,
  );
  const decide = (decision: 'approve' | 'reject') => {
    setIsChecked(decision === 'approve');
    if (decision === 'reject' || isComplete) {
      mutate({
        step,
        decision,
        ...(comment.trim() && { comment: comment.trim() }),
        ...(decision === 'approve' && inputs.length > 0 && { inputs: values }),
      });
    }
  };
  if (!isRunning) {
    return (
      <>
        <span>{message}</span>
        <span className={styles.quiet}>{t('approval.never')}</span>
      </>
    );
  }
  return (
    <div className={styles.form}>
      <strong>{message}</strong>
      <span className={styles.quiet}>
        {by === null
          ? t('approval.byTriggers')
          : t('approval.by', { names: by.map(shortName).join(', ') })}{' '}
        <RelativeTime value={new Date(openedAt).toISOString()} />
      </span>
      {error && (
        <SendFailure title={t('approval.failed', { step })} error={error} />
      )}
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
              isPending={isPending}
              onPress={() => decide('approve')}
            >
              {t('approval.approve')}
            </Button>
            <Button
              variant="secondary"
              iconStart={<RiCloseLine />}
              isDisabled={isPending}
              onPress={() => decide('reject')}
            >
              {t('approval.reject')}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

/** Shortens `group:default/payments` to `payments`. */
function shortName(ref: string): string {
  return ref.replace(/^[a-z]+:[^/]+\//, '');
}
