import { useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link, TextField } from '@backstage/ui';
import { RiDeleteBinLine } from '@remixicon/react';
import { SendFailure, useUndoToast } from '@slipway/app-react';
import {
  DialogForm,
  IconButton,
  OpenDialog,
  useFocusNearby,
} from '@slipway/design-system';
import type { Flag, FlagLink, FlagName } from '../../api/flags';
import { useAddLink, useRemoveLink } from '../../queries/flags';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

/** The links of a flag, which can be added and removed. */
export function FlagLinks(props: { flag: Flag; isEditable: boolean }) {
  const { flag, isEditable } = props;
  const { links = [] } = flag;
  const { t } = useTranslationRef(flagsTranslationRef);
  const undoToast = useUndoToast();
  const [isAdding, setIsAdding] = useState(false);
  const add = useAddLink(flag);
  const remove = useRemoveLink(flag);
  const error = remove.error ?? add.error;
  const list = useRef<HTMLUListElement>(null);
  useFocusNearby(list);
  const onRemove = ({ id, ...link }: FlagLink) => {
    // Not `onSuccess`, which only the last of several removals calls.
    remove.mutateAsync(id).then(
      () =>
        undoToast(t('links.removed', { name: nameOf(link) }), () =>
          add.mutate(link),
        ),
      () => {},
    );
  };
  return (
    <section className={styles.related} aria-label={t('links.title')}>
      <div className={styles.relatedHead}>
        <span className={styles.quiet}>{t('links.title')}</span>
        {isEditable && (
          <Button
            size="small"
            variant="tertiary"
            onPress={() => setIsAdding(true)}
          >
            {t('links.add')}
          </Button>
        )}
      </div>
      {error && <SendFailure title={t('links.failed')} error={error} />}
      {links.length === 0 ? (
        <span>{t('links.none')}</span>
      ) : (
        <ul ref={list} className={styles.rows}>
          {links.map(link => (
            <li key={link.id} className={styles.row}>
              <Link
                className={styles.change}
                href={link.url}
                target="_blank"
                rel="noreferrer"
              >
                {nameOf(link)}
              </Link>
              {isEditable && (
                <IconButton
                  label={t('links.remove', { name: nameOf(link) })}
                  icon={<RiDeleteBinLine size={16} />}
                  onPress={() => onRemove(link)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <LinkDialog flag={flag} onClose={() => setIsAdding(false)} />
      )}
    </section>
  );
}

/** URLs that the service accepts. */
const URL_PATTERN = /^https?:\/\/\S+$/;

function LinkDialog({ flag, onClose }: { flag: FlagName; onClose(): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { mutate, error, isPending } = useAddLink(flag);
  const [title, setTitle] = useState('');
  const [url, setUrl] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const isUrl = URL_PATTERN.test(url.trim());
  const onSubmit = () => {
    setIsChecked(true);
    if (isUrl) {
      const name = title.trim();
      mutate(
        { url: url.trim(), ...(name && { title: name }) },
        { onSuccess: onClose },
      );
    }
  };
  return (
    <OpenDialog title={t('links.add')} onClose={onClose}>
      <DialogForm
        submitLabel={t('links.add')}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        {error && <SendFailure title={t('links.failed')} error={error} />}
        <TextField
          // The dialog is opened to enter the URL.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          label={t('links.url')}
          maxLength={2_000}
          value={url}
          onChange={setUrl}
          validationBehavior="aria"
          validate={() => !isChecked || isUrl || t('links.urlWrong')}
        />
        <TextField
          label={t('links.name')}
          maxLength={200}
          value={title}
          onChange={setTitle}
        />
      </DialogForm>
    </OpenDialog>
  );
}

function nameOf({ title, url }: Omit<FlagLink, 'id'>): string {
  return title || url;
}
