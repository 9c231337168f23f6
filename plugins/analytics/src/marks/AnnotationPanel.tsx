import { useId, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextField } from '@backstage/ui';
import { Loaded, SendFailure, useUndoToast } from '@slipway/app-react';
import {
  DialogForm,
  LoadingRows,
  localTime,
  OpenDialog,
  Panel,
  readLocalTime,
  RelativeTime,
  useFocusNearby,
} from '@slipway/design-system';
import type { Annotation } from '../api/InsightsApi';
import { analyticsTranslationRef } from '../translation';
import {
  useAnnotations,
  useCreateAnnotation,
  useDeleteAnnotation,
} from './useMarks';
import styles from '../analytics.module.css';

const CONTENT_LENGTH = 400;

/** Lists the annotations that a project's charts show, and lets users add one. */
export function AnnotationPanel({ projectId }: { projectId: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [isAdding, setIsAdding] = useState(false);
  const remove = useDeleteAnnotation(projectId);
  const restore = useCreateAnnotation(projectId);
  const undoToast = useUndoToast();
  const list = useRef<HTMLUListElement>(null);
  useFocusNearby(list);
  const onDelete = ({ id, content, date_marker }: Annotation) =>
    // Not `onSuccess`, which is only called for the last of several deletions.
    remove.mutateAsync(id).then(
      () =>
        undoToast(t('annotations.deleted', { name: content }), () =>
          restore.mutate({ content, date_marker }),
        ),
      () => {},
    );
  return (
    <Panel
      title={t('annotations.title')}
      action={
        <Button
          size="small"
          variant="secondary"
          onPress={() => setIsAdding(true)}
        >
          {t('annotations.add')}
        </Button>
      }
    >
      <Loaded
        query={useAnnotations(projectId)}
        failed={t('annotations.failed')}
        loading={<LoadingRows label={t('annotations.loading')} rows={2} />}
      >
        {annotations =>
          annotations.length === 0 ? (
            <p className={styles.text}>{t('annotations.none')}</p>
          ) : (
            <ul ref={list} className={styles.links}>
              {annotations.map(annotation => (
                <li key={annotation.id}>
                  <span>{annotation.content}</span>
                  <span className={styles.quiet}>
                    <RelativeTime value={annotation.date_marker} />
                  </span>
                  {annotation.may_change && (
                    <Button
                      size="small"
                      variant="tertiary"
                      aria-label={t('annotations.deleteNamed', {
                        name: annotation.content,
                      })}
                      onPress={() => onDelete(annotation)}
                    >
                      {t('annotations.delete')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {remove.error && (
        <SendFailure
          title={t('annotations.deleteFailed')}
          error={remove.error}
        />
      )}
      {restore.error && (
        <SendFailure title={t('annotations.addFailed')} error={restore.error} />
      )}
      {isAdding && (
        <AddDialog projectId={projectId} onClose={() => setIsAdding(false)} />
      )}
    </Panel>
  );
}

function AddDialog(props: { projectId: string; onClose(): void }) {
  const { projectId, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [content, setContent] = useState('');
  const [at, setAt] = useState(() => localTime(new Date()));
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useCreateAnnotation(projectId);
  const date_marker = readLocalTime(at);
  const isMissing = isChecked && content.trim() === '';
  const isUndated = isChecked && date_marker === undefined;
  const faultId = useId();
  const submit = () => {
    setIsChecked(true);
    if (content.trim() !== '' && date_marker !== undefined) {
      mutate({ content: content.trim(), date_marker }, { onSuccess: onClose });
    }
  };
  return (
    <OpenDialog title={t('annotations.add')} onClose={onClose}>
      <DialogForm
        submitLabel={t('annotations.add')}
        isPending={isPending}
        onSubmit={submit}
      >
        {error && (
          <SendFailure title={t('annotations.addFailed')} error={error} />
        )}
        <TextField
          // The text is what the dialog is about.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          label={t('annotations.content')}
          value={content}
          onChange={setContent}
          maxLength={CONTENT_LENGTH}
          isInvalid={isMissing}
          {...(isMissing && { description: t('annotations.contentMissing') })}
        />
        <label className={styles.date}>
          <span>{t('annotations.at')}</span>
          <input
            type="datetime-local"
            value={at}
            aria-invalid={isUndated}
            aria-describedby={isUndated ? faultId : undefined}
            onChange={({ target }) => setAt(target.value)}
          />
          {isUndated && (
            <span id={faultId} className={styles.fault}>
              {t('annotations.atMissing')}
            </span>
          )}
        </label>
      </DialogForm>
    </OpenDialog>
  );
}
