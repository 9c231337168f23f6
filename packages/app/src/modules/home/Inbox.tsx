import { useEffect, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, ButtonLink } from '@backstage/ui';
import {
  RiCheckLine,
  RiInboxUnarchiveLine,
  RiTimeLine,
} from '@remixicon/react';
import { AppQueries, ReadFailure } from '@slipway/app-react';
import {
  EmptyState,
  IconButton,
  LoadingRows,
  Panel,
} from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { NeedText } from '../cockpit/Cockpit';
import type { Aside, InboxItem } from './InboxApi';
import { tomorrow, useInbox } from './useInbox';
import './HomePage.css';

/** Number of items that are shown before "Show all" is pressed. */
const ROWS = 20;

/**
 * Lists what needs the user's attention, from all parts; each item has its action, done
 * and snooze.
 */
export function Inbox() {
  return (
    <AppQueries>
      <InboxOfReader />
    </AppQueries>
  );
}

function InboxOfReader() {
  const { t } = useTranslationRef(appTranslationRef);
  const { query, items, setAside } = useInbox();
  const [isOpen, setIsOpen] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const [note, setNote] = useState<{
    text: string;
    /** The items that Undo moves back. */
    items?: readonly InboxItem[];
  }>();
  const { missing = [], incomplete = [] } = query.data ?? {};
  const waiting = items.filter(({ aside }) => aside === null);
  const hidden = items.filter(({ aside }) => aside !== null);
  const { list, foot, follow } = useFocusBeside(waiting);
  const change = (changed: readonly InboxItem[], aside: Aside | null) => {
    const [{ title }] = changed;
    const count = changed.length;
    follow(changed[0]);
    const said = (state: Aside['state']) =>
      count === 1
        ? t(`inbox.${state}Note`, { title })
        : t('inbox.allDoneNote', { count });
    setNote(aside ? { text: said(aside.state), items: changed } : undefined);
    setAside(changed, aside).catch(() =>
      setNote({
        text:
          count === 1 ? t('inbox.notSaved', { title }) : t('inbox.allNotSaved'),
      }),
    );
  };

  return (
    <Panel
      title={t('inbox.title')}
      padded={false}
      action={
        waiting.length > 1 && (
          <Button
            size="small"
            variant="tertiary"
            onPress={() => change(waiting, { state: 'done', until: null })}
          >
            {t('inbox.markAll')}
          </Button>
        )
      }
    >
      {query.isPending && <LoadingRows label={t('inbox.loading')} rows={3} />}
      {query.error && !query.data && (
        <ReadFailure
          title={t('inbox.failed')}
          error={query.error}
          onRetry={() => query.refetch()}
        />
      )}
      {query.data && waiting.length === 0 && (
        <EmptyState
          level={3}
          title={t('inbox.empty')}
          description={t('inbox.emptyText')}
        />
      )}
      <ul className="slw-Needs" ref={list}>
        {waiting.slice(0, isWhole ? undefined : ROWS).map(need => (
          <li key={need.key} className="slw-Need">
            <NeedText need={need} />
            <ButtonLink size="small" variant="secondary" href={need.page}>
              {need.action}
            </ButtonLink>
            <IconButton
              icon={<RiTimeLine size={16} />}
              label={t('inbox.markSnoozed', { title: need.title })}
              hint={t('inbox.snooze')}
              onPress={() =>
                change([need], {
                  state: 'snoozed',
                  until: new Date(tomorrow(Date.now())).toISOString(),
                })
              }
            />
            <IconButton
              icon={<RiCheckLine size={16} />}
              label={t('inbox.markDone', { title: need.title })}
              hint={t('inbox.done')}
              onPress={() => change([need], { state: 'done', until: null })}
            />
          </li>
        ))}
      </ul>
      {waiting.length > ROWS && (
        <div className="slw-InboxFoot">
          <Button
            size="small"
            variant="tertiary"
            onPress={() => setIsWhole(!isWhole)}
          >
            {isWhole
              ? t('inbox.showFewer')
              : t('inbox.showAll', { number: String(waiting.length) })}
          </Button>
        </div>
      )}
      <div className="slw-InboxFoot" role="status" ref={foot}>
        {note && (
          <span className="slw-InboxNote">
            {note.text}
            {note.items && (
              <Button
                size="small"
                variant="tertiary"
                onPress={() => change(note.items!, null)}
              >
                {t('inbox.undo')}
              </Button>
            )}
          </span>
        )}
        {missing.length > 0 && (
          <span>{t('inbox.missing', { parts: missing.join(', ') })}</span>
        )}
        {incomplete.length > 0 && (
          <span>{t('inbox.incomplete', { parts: incomplete.join(', ') })}</span>
        )}
      </div>
      {hidden.length > 0 && (
        <div className="slw-InboxFoot">
          <span>{t('inbox.hidden', { count: hidden.length })}</span>
          <Button
            size="small"
            variant="tertiary"
            aria-expanded={isOpen}
            onPress={() => setIsOpen(!isOpen)}
          >
            {t(isOpen ? 'inbox.hideHidden' : 'inbox.showHidden')}
          </Button>
        </div>
      )}
      {isOpen && (
        <ul className="slw-Needs slw-InboxAside">
          {hidden.map(need => (
            <li key={need.key} className="slw-Need">
              <NeedText need={need} />
              <IconButton
                icon={<RiInboxUnarchiveLine size={16} />}
                label={t('inbox.bringBack', { title: need.title })}
                hint={t('inbox.moveBack')}
                onPress={() => change([need], null)}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/**
 * Moves the focus when the pressed button disappears with its item: to the button that undoes it,
 * or to the item in its new place or, if that place is not shown, to the last shown item.
 */
function useFocusBeside(waiting: readonly InboxItem[]) {
  const list = useRef<HTMLUListElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  const pressed = useRef<string>(undefined);
  useEffect(() => {
    if (
      pressed.current === undefined ||
      document.activeElement !== document.body
    ) {
      return;
    }
    const place = waiting.findIndex(({ key }) => key === pressed.current);
    const rows = [...(list.current?.children ?? [])];
    const row = place < 0 ? undefined : (rows[place] ?? rows.at(-1));
    const buttons = (row ?? foot.current)?.querySelectorAll('button');
    pressed.current = undefined;
    buttons?.[buttons.length - 1]?.focus();
  });
  return {
    list,
    foot,
    follow({ key }: InboxItem) {
      pressed.current = key;
    },
  };
}
