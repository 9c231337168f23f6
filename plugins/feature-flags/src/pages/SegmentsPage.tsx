import { useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextAreaField, TextField } from '@backstage/ui';
import {
  isConflict,
  Loaded,
  SendFailure,
  useErrorWords,
} from '@slipway/app-react';
import {
  ConfirmDialog,
  DialogForm,
  EmptyState,
  LoadingRows,
  OpenDialog,
  Panel,
  useFocusNearby,
} from '@slipway/design-system';
import type { Segment } from '../api/segments';
import { ConstraintsEditor, trimmed } from '../components/ConstraintsEditor';
import { constraintText } from '../components/strategies';
import {
  useDeleteSegment,
  useSaveSegment,
  useSegments,
} from '../queries/registers';
import { useMayChange } from '../queries/access';
import { flagsTranslationRef } from '../translation';
import { ContextFieldsPanel } from './ContextFieldsPanel';
import { SegmentUses } from './SegmentUses';
import styles from './Flag/Flag.module.css';

/** A page to view, create, change and delete segments, with the flags that use them. */
export function SegmentsPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const mayChange = useMayChange();
  const [edited, setEdited] = useState<Segment | 'new'>();
  const list = useRef<HTMLUListElement>(null);
  useFocusNearby(list);
  return (
    <div className={styles.stack}>
      <Panel
        title={t('segments.title')}
        action={
          mayChange && (
            <Button
              size="small"
              variant="secondary"
              onPress={() => setEdited('new')}
            >
              {t('segments.create')}
            </Button>
          )
        }
      >
        <Loaded
          query={useSegments()}
          failed={t('segments.failed')}
          loading={<LoadingRows label={t('segments.loading')} rows={3} />}
        >
          {segments =>
            segments.length === 0 ? (
              <EmptyState
                title={t('segments.emptyTitle')}
                description={t('segments.emptyDescription')}
              />
            ) : (
              <ul ref={list} className={styles.strategies}>
                {segments.map(segment => (
                  <li key={segment.id}>
                    <SegmentRow
                      segment={segment}
                      onEdit={() => setEdited(segment)}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
        {edited && (
          <SegmentDialog
            segment={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(undefined)}
          />
        )}
      </Panel>
      <ContextFieldsPanel />
    </div>
  );
}

function SegmentRow(props: { segment: Segment; onEdit(): void }) {
  const { segment, onEdit } = props;
  const { id, name, description, constraints, problems = [] } = segment;
  const { t } = useTranslationRef(flagsTranslationRef);
  const errorWords = useErrorWords();
  const mayChange = useMayChange();
  const remove = useDeleteSegment();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className={styles.stack}>
      <div className={styles.head}>
        <strong>{name}</strong>
        {mayChange && (
          <div className={styles.actions}>
            <Button
              size="small"
              variant="secondary"
              aria-label={t('segments.editNamed', { name })}
              onPress={onEdit}
            >
              {t('segments.edit')}
            </Button>
            <Button
              size="small"
              variant="secondary"
              aria-label={t('segments.removeNamed', { name })}
              onPress={() => setIsAsking(true)}
            >
              {t('segments.remove')}
            </Button>
          </div>
        )}
      </div>
      <div className={styles.rule}>
        {description && <p className={styles.quiet}>{description}</p>}
        {constraints.length === 0 && (
          <p className={styles.quiet}>{t('segments.everyone')}</p>
        )}
        {constraints.map((constraint, index) => (
          <p key={index} className={styles.quiet}>
            {constraintText(constraint)}
          </p>
        ))}
        {problems.map(({ field, message }) => (
          <p key={field}>
            {message} ({field})
          </p>
        ))}
        <SegmentUses id={id} />
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('segments.removeTitle', { name })}
        confirmLabel={t('segments.removeConfirm')}
        describeError={errorWords}
        onConfirm={() => remove.mutateAsync(id)}
      >
        {t('segments.removeText')}
      </ConfirmDialog>
    </div>
  );
}

/** Creates a segment, or changes one. */
function SegmentDialog(props: {
  segment: Segment | undefined;
  onClose(): void;
}) {
  const { segment, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const [name, setName] = useState(segment?.name ?? '');
  const [description, setDescription] = useState(segment?.description ?? '');
  const [constraints, setConstraints] = useState(segment?.constraints ?? []);
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useSaveSegment();
  const onSubmit = () => {
    setIsChecked(true);
    if (name.trim()) {
      mutate(
        {
          id: segment?.id,
          etag: segment?.etag,
          name: name.trim(),
          description: description.trim(),
          constraints: trimmed(constraints),
        },
        { onSuccess: onClose },
      );
    }
  };
  return (
    <OpenDialog
      title={
        segment
          ? t('segments.editNamed', { name: segment.name })
          : t('segments.create')
      }
      onClose={onClose}
      width={720}
    >
      <DialogForm
        submitLabel={t(segment ? 'segments.save' : 'segments.create')}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        {error && (
          <SendFailure
            title={t(
              isConflict(error) ? 'segments.conflict' : 'segments.saveFailed',
            )}
            error={error}
          />
        )}
        <TextField
          // The dialog is opened to enter the name.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          label={t('segments.name')}
          maxLength={100}
          value={name}
          onChange={setName}
          validationBehavior="aria"
          validate={() =>
            !isChecked || Boolean(name.trim()) || t('segments.nameMissing')
          }
        />
        <TextAreaField
          label={t('segments.description')}
          rows={2}
          maxLength={10_000}
          value={description}
          onChange={setDescription}
        />
        <ConstraintsEditor
          constraints={constraints}
          onChange={setConstraints}
        />
      </DialogForm>
    </OpenDialog>
  );
}
