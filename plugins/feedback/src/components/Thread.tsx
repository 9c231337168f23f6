import { type FormEvent, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Radio, RadioGroup, TextAreaField } from '@backstage/ui';
import { RiDeleteBinLine } from '@remixicon/react';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  IconButton,
  RelativeTime,
  StatusBadge,
  useFocusNearby,
} from '@slipway/design-system';
import type { Feedback, Reply } from '../api/Feedback';
import { useAddReply, useDeleteReply } from '../queries';
import { feedbackTranslationRef } from '../translation';
import { AwaitsReply } from './ReplyMarks';
import styles from '../feedback.module.css';

/** The side from which a thread is read: by the sender or by an admin. */
type Side = 'sender' | 'triage';

/** Shows the replies to feedback and a form to add one, for either side. */
export function Thread(props: { feedback: Feedback; side: Side }) {
  const { feedback, side } = props;
  const { id, replies } = feedback;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const section = useRef<HTMLElement>(null);
  useFocusNearby(section);
  return (
    <section
      ref={section}
      className={styles.facts}
      aria-label={t('thread.title')}
    >
      <div className={styles.threadHead}>
        <h3>{t('thread.title')}</h3>
        {feedback.awaitsReply && <AwaitsReply />}
      </div>
      {replies.length === 0 ? (
        <p className={styles.quiet}>{t('thread.none')}</p>
      ) : (
        <ol className={styles.replies}>
          {replies.map(reply => (
            <li key={reply.id}>
              <ReplyItem feedbackId={id} reply={reply} side={side} />
            </li>
          ))}
        </ol>
      )}
      {(feedback.mayReply || side === 'triage') && (
        <ReplyForm feedback={feedback} side={side} />
      )}
    </section>
  );
}

function ReplyItem(props: { feedbackId: string; reply: Reply; side: Side }) {
  const { feedbackId, reply, side } = props;
  const { authorName, isFromSender, isInternal, createdAt } = reply;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const name =
    isFromSender && side === 'triage'
      ? t('thread.sender', { name: authorName })
      : authorName;
  return (
    <>
      <div className={styles.threadHead}>
        <span className={styles.quiet}>
          {name} · <RelativeTime value={createdAt} />
        </span>
        {isInternal && <StatusBadge tone="info" label={t('thread.note')} />}
        {reply.mayDelete && (
          <DeleteReply feedbackId={feedbackId} reply={reply} />
        )}
      </div>
      <p className={styles.message}>{reply.message}</p>
    </>
  );
}

/** Deletes a reply after confirmation. */
function DeleteReply(props: { feedbackId: string; reply: Reply }) {
  const { feedbackId, reply } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { mutateAsync } = useDeleteReply(feedbackId);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const kind = reply.isInternal ? 'note' : 'reply';
  return (
    <>
      <IconButton
        icon={<RiDeleteBinLine size={16} />}
        label={t(`thread.delete.${kind}Of`, { name: reply.authorName })}
        hint={t(`thread.delete.${kind}`)}
        onPress={() => setIsAsking(true)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t(`thread.delete.${kind}Title`)}
        confirmLabel={t(`thread.delete.${kind}`)}
        describeError={errorWords}
        onConfirm={async () => {
          await mutateAsync(reply.id);
        }}
      >
        {t(`thread.delete.${kind}Text`)}
      </ConfirmDialog>
    </>
  );
}

type Kind = 'reply' | 'note';

/** Creates a unique idempotency key. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Adds a reply or, if an admin chooses so, an internal note. */
function ReplyForm({ feedback, side }: { feedback: Feedback; side: Side }) {
  const { id, mayReply, isOwn } = feedback;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const [chosen, setChosen] = useState<Kind>('reply');
  const [message, setMessage] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending, isSuccess, variables } = useAddReply(id);
  const draft = useRef({ text: '', idempotencyKey: '' });
  const kind = mayReply ? chosen : 'note';
  const help = isOwn ? 'thread.ownHelp' : 'thread.replyHelp';
  const isSaid = message.trim() !== '';
  const isSent = isSuccess && message === '';
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsChecked(true);
    if (!isSaid) {
      // Screen readers announce the field's error together with it.
      event.currentTarget.querySelector('textarea')?.focus();
    } else if (!isPending) {
      const text = `${kind} ${message.trim()}`;
      if (draft.current.text !== text) {
        draft.current = { text, idempotencyKey: createKey() };
      }
      const { idempotencyKey } = draft.current;
      mutate(
        {
          message: message.trim(),
          isInternal: kind === 'note',
          // Unchanged for the same text: a failed attempt may have arrived at the service after
          // all.
          idempotencyKey,
        },
        {
          onSuccess() {
            draft.current = { text: '', idempotencyKey: '' };
            setMessage('');
            setIsChecked(false);
          },
        },
      );
    }
  };
  return (
    <form className={styles.facts} onSubmit={onSubmit} noValidate>
      {error && (
        <SendFailure
          title={t(
            variables?.isInternal ? 'thread.notSaved' : 'thread.notSent',
          )}
          error={error}
        />
      )}
      {side === 'triage' &&
        (mayReply ? (
          <RadioGroup
            label={t('thread.kind')}
            orientation="horizontal"
            value={kind}
            onChange={value => setChosen(value as Kind)}
          >
            <Radio value="reply">
              {t(isOwn ? 'thread.reply' : 'thread.toSender')}
            </Radio>
            <Radio value="note">{t('thread.note')}</Radio>
          </RadioGroup>
        ) : (
          <p className={styles.quiet}>{t('thread.noReceiver')}</p>
        ))}
      <TextAreaField
        label={t(kind === 'reply' ? 'thread.reply' : 'thread.note')}
        description={
          side === 'triage'
            ? t(kind === 'reply' ? help : 'thread.noteHelp')
            : undefined
        }
        rows={2}
        maxLength={10_000}
        value={message}
        onChange={setMessage}
        // The field is cleared once the reply has been added, which would delete anything typed
        // meanwhile.
        isReadOnly={isPending}
        // Shown after the first submit, but does not block submitting: the form validates itself.
        validationBehavior="aria"
        validate={() => !isChecked || isSaid || t('thread.missing')}
      />
      <div className={styles.threadHead}>
        <Button variant="secondary" type="submit" isPending={isPending}>
          {t(kind === 'reply' ? 'thread.send' : 'thread.save')}
        </Button>
        <span className={styles.quiet} role="status">
          {isSent && t(variables?.isInternal ? 'thread.saved' : 'thread.sent')}
        </span>
      </div>
    </form>
  );
}
