import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Tag, TagGroup, TextField } from '@backstage/ui';
import { SendFailure, useUndoToast } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Flag } from '../../api/flags';
import { TagTypeMark } from '../../components/TagTypeMark';
import { useFlags, useAddTag, useRemoveTag } from '../../queries/flags';
import { useTagTypes } from '../../queries/registers';
import { flagsTranslationRef } from '../../translation';
import { tagText } from '../filterFlags';
import styles from './Flag.module.css';

/** The tags of a flag, which can be added and removed. */
export function FlagTags(props: { flag: Flag; isEditable: boolean }) {
  const { flag, isEditable } = props;
  const { tags = [] } = flag;
  const { t } = useTranslationRef(flagsTranslationRef);
  const undoToast = useUndoToast();
  const { data: types = [] } = useTagTypes();
  const [isAdding, setIsAdding] = useState(false);
  const add = useAddTag(flag.name);
  const remove = useRemoveTag(flag.name);
  const error = remove.error ?? add.error;
  const onRemove = (keys: Iterable<string | number>) => {
    for (const tag of tags.filter(each => [...keys].includes(idOf(each)))) {
      // Not `onSuccess`, which only the last of several removals calls.
      remove.mutateAsync(tag).then(
        () =>
          undoToast(t('tags.removed', { tag: tagText(tag) }), () =>
            add.mutate(tag),
          ),
        () => {},
      );
    }
  };
  return (
    <section className={styles.related} aria-label={t('tags.title')}>
      <div className={styles.relatedHead}>
        <span className={styles.quiet}>{t('tags.title')}</span>
        {isEditable && (
          <Button
            size="small"
            variant="tertiary"
            onPress={() => setIsAdding(true)}
          >
            {t('tags.add')}
          </Button>
        )}
      </div>
      {error && <SendFailure title={t('tags.failed')} error={error} />}
      {tags.length === 0 ? (
        <span>{t('tags.none')}</span>
      ) : (
        <TagGroup
          aria-label={t('tags.title')}
          {...(isEditable && { onRemove })}
        >
          {tags.map(tag => (
            <Tag
              key={idOf(tag)}
              id={idOf(tag)}
              size="medium"
              textValue={tagText(tag)}
              icon={
                <TagTypeMark
                  type={types.find(({ name }) => name === tag.type)}
                />
              }
            >
              {tagText(tag)}
            </Tag>
          ))}
        </TagGroup>
      )}
      {isAdding && (
        <TagDialog name={flag.name} onClose={() => setIsAdding(false)} />
      )}
    </section>
  );
}

function TagDialog({ name, onClose }: { name: string; onClose(): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: flags = [] } = useFlags(false);
  const { data: known = [] } = useTagTypes();
  const { mutate, error, isPending } = useAddTag(name);
  const [type, setType] = useState('simple');
  const [value, setValue] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const isFilled = value.trim() !== '';
  const types = new Set([
    'simple',
    ...known.map(each => each.name),
    ...flags.flatMap(({ tags }) => tags.map(tag => tag.type)),
  ]);
  const onSubmit = () => {
    setIsChecked(true);
    if (isFilled) {
      mutate(
        { type: type.trim() || 'simple', value: value.trim() },
        { onSuccess: onClose },
      );
    }
  };
  return (
    <OpenDialog title={t('tags.add')} onClose={onClose}>
      <DialogForm
        submitLabel={t('tags.add')}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        {error && <SendFailure title={t('tags.failed')} error={error} />}
        <TextField
          label={t('tags.type')}
          description={t('tags.typeHelp', {
            types: [...types].sort().join(', '),
          })}
          maxLength={50}
          value={type}
          onChange={setType}
        />
        <TextField
          // The dialog is opened to enter the value.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          label={t('tags.value')}
          maxLength={100}
          value={value}
          onChange={setValue}
          validationBehavior="aria"
          validate={() => !isChecked || isFilled || t('tags.valueMissing')}
        />
      </DialogForm>
    </OpenDialog>
  );
}

function idOf({ type, value }: { type: string; value: string }): string {
  return `${type}:${value}`;
}
