import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link, TextField } from '@backstage/ui';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  localTime,
  readLocalTime,
  RelativeTime,
  StatusBadge,
  type Tone,
} from '@slipway/design-system';
import type { ChangeRequest, ChangeRequestState } from '../api/changeRequests';
import { RuleList } from '../pages/Flag/RuleList';
import { useSetChangeRequestState } from '../queries/changes';
import { useFlagNamed } from '../queries/flags';
import { useMayChange } from '../queries/access';
import { useLinks } from '../routes';
import { flagsTranslationRef } from '../translation';
import { personName } from './people';
import { StepLines } from './ScheduleList';
import { TimeField } from './TimeField';
import styles from '../pages/Flag/Flag.module.css';

const TONES: Readonly<Record<ChangeRequestState, Tone>> = {
  'In review': 'info',
  Approved: 'success',
  Scheduled: 'info',
  Applied: 'success',
  Rejected: 'danger',
  Cancelled: 'neutral',
};

/** Change requests, each with the change, its reviews and the actions of the user. */
export function ChangeRequestList(props: {
  requests: readonly ChangeRequest[];
}) {
  return (
    <ul className={styles.strategies}>
      {props.requests.map(request => (
        <li key={request.id}>
          <ChangeRequestItem request={request} />
        </li>
      ))}
    </ul>
  );
}

function ChangeRequestItem({ request }: { request: ChangeRequest }) {
  const { id, featureName, environment, state, createdBy } = request;
  const { approvals, requiredApprovals, scheduledAt, reviews } = request;
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  return (
    <article
      className={styles.stack}
      aria-label={t('request.name', { id: String(id) })}
    >
      <div className={styles.head}>
        <span>
          <strong>{t('request.name', { id: String(id) })}</strong>:{' '}
          <Link href={links.flag(featureName)}>{featureName}</Link>{' '}
          {t('request.in', { environment })}
        </span>
        <StatusBadge tone={TONES[state]} label={t(`request.states.${state}`)} />
      </div>
      <p className={styles.quiet}>
        {personName(createdBy, t)}, <RelativeTime value={request.createdAt} />.{' '}
        {t('request.approvals', {
          number: String(approvals.length),
          required: String(requiredApprovals),
        })}
        {scheduledAt && (
          <>
            {' '}
            {t('request.appliedAt')} <RelativeTime value={scheduledAt} />.
          </>
        )}
      </p>
      <Comparison request={request} />
      {reviews.length > 0 && (
        <ul className={styles.parts}>
          {reviews.map((review, index) => (
            <li key={index} className={styles.change}>
              {t(`request.verdicts.${review.verdict}`, {
                name: personName(review.createdBy, t),
              })}
              {review.comment && `: ${review.comment}`}
            </li>
          ))}
        </ul>
      )}
      <RequestActions request={request} />
    </article>
  );
}

/** The rules before and after a change, or the requested schedule. */
function Comparison({ request }: { request: ChangeRequest }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { before, after, schedule } = request.change;
  if (schedule) {
    return <StepLines schedule={schedule} />;
  }
  return (
    <div className={styles.compared}>
      {(
        [
          ['request.before', before],
          ['request.after', after],
        ] as const
      ).map(
        ([key, state]) =>
          state && (
            <section key={key} aria-label={t(key)}>
              <span className={styles.quiet}>{t(key)}</span>
              <StatusBadge
                tone={state.enabled ? 'success' : 'neutral'}
                label={t(state.enabled ? 'state.on' : 'state.off')}
              />
              <RuleList
                strategies={state.strategies}
                variants={state.variants}
              />
            </section>
          ),
      )}
    </div>
  );
}

const HOUR_MS = 3_600_000;

/** The final states of a change request, which have to be confirmed. */
type Ending = 'Applied' | 'Rejected' | 'Cancelled';

/** The actions of the user: approve, apply now or later, reject, cancel. */
function RequestActions({ request }: { request: ChangeRequest }) {
  const { id, state, mayApprove, featureName, environment } = request;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: flag } = useFlagNamed(featureName);
  const mayChange = useMayChange(flag?.project);
  const { mutate, mutateAsync, error, isPending } =
    useSetChangeRequestState(id);
  const errorWords = useErrorWords();
  const [comment, setComment] = useState('');
  const [time, setTime] = useState<string>();
  const [ending, setEnding] = useState<Ending>('Applied');
  const [isAsking, setIsAsking] = useState(false);
  const isApproved = state === 'Approved' || state === 'Scheduled';
  if (!mayChange || !(isApproved || state === 'In review')) {
    return null;
  }
  const changeTo = (wanted: ChangeRequestState, scheduledAt?: string) => ({
    state: wanted,
    ...(comment.trim() && { comment: comment.trim() }),
    ...(scheduledAt && { scheduledAt }),
  });
  const endButton = (
    wanted: Ending,
    label: string,
    variant: 'primary' | 'secondary' | 'tertiary',
  ) => (
    <Button
      size="small"
      variant={variant}
      onPress={() => {
        setEnding(wanted);
        setIsAsking(true);
      }}
    >
      {label}
    </Button>
  );
  const at = time === undefined ? undefined : readLocalTime(time);
  return (
    <>
      {error && !isAsking && (
        <SendFailure title={t('request.failed')} error={error} />
      )}
      {!isApproved && !mayApprove && (
        <p className={styles.quiet}>{t('request.others')}</p>
      )}
      <TextField
        label={t('request.comment')}
        size="small"
        maxLength={2_000}
        value={comment}
        onChange={setComment}
      />
      <div className={styles.actions}>
        {mayApprove && (
          <Button
            size="small"
            variant="primary"
            isPending={isPending && !isAsking}
            onPress={() => mutate(changeTo('Approved'))}
          >
            {t('request.approve')}
          </Button>
        )}
        {isApproved && endButton('Applied', t('request.apply'), 'primary')}
        {isApproved && time === undefined && (
          <Button
            size="small"
            variant="secondary"
            onPress={() => setTime(localTime(new Date(Date.now() + HOUR_MS)))}
          >
            {t('request.schedule')}
          </Button>
        )}
        {(isApproved || mayApprove) &&
          endButton('Rejected', t('request.reject'), 'secondary')}
        {(isApproved || !mayApprove) &&
          endButton('Cancelled', t('request.cancel'), 'tertiary')}
      </div>
      {isApproved && time !== undefined && (
        <div className={styles.actions}>
          <TimeField
            label={t('request.time')}
            value={time}
            onChange={setTime}
          />
          <Button
            size="small"
            variant="primary"
            isDisabled={at === undefined}
            isPending={isPending && !isAsking}
            onPress={() =>
              mutate(changeTo('Scheduled', at), {
                onSuccess: () => setTime(undefined),
              })
            }
          >
            {t('request.scheduleConfirm')}
          </Button>
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t(`request.ending.${ending}.title`, { id: String(id) })}
        confirmLabel={t(`request.ending.${ending}.confirm`)}
        destructive={ending !== 'Applied'}
        describeError={errorWords}
        onConfirm={async () => {
          await mutateAsync(changeTo(ending));
        }}
      >
        {t(`request.ending.${ending}.text`, { flag: featureName, environment })}
      </ConfirmDialog>
    </>
  );
}

/** A message that a change needs approval, with a link to the change request. */
export function ChangeRequestSent({ request }: { request: ChangeRequest }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  return (
    <p className={styles.quiet} role="status">
      {t('request.sent')}{' '}
      <Link href={links.requests}>
        {t('request.name', { id: String(request.id) })}
      </Link>
    </p>
  );
}
