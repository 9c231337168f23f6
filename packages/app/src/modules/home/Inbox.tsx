import { useEffect, useState } from 'react';
import {
  identityApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Button, ButtonIcon, ButtonLink } from '@backstage/ui';
import {
  RiCheckLine,
  RiInboxUnarchiveLine,
  RiTimeLine,
} from '@remixicon/react';
import { AppQueries, useEntitySummaries } from '@slipway/app-react';
import { EmptyState, LoadingRows, Panel } from '@slipway/design-system';
import type { Need } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';
import { NeedText } from '../cockpit/Cockpit';
import { isAside, useSetAside } from './useSetAside';
import './HomePage.css';

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
  const ownRef = useOwnRef();
  const asked = useEntitySummaries(ownRef);
  const { aside, setAside, putBack } = useSetAside();
  const [isOpen, setIsOpen] = useState(false);
  const [note, setNote] = useState<{ text: string; key: string }>();
  const now = Date.now();
  const needs = byUrgency(
    asked.flatMap(({ answer }) => answer.data?.needs ?? []),
  );
  const waiting = needs.filter(need => !isAside(aside, need, now));
  const hidden = needs.filter(need => isAside(aside, need, now));
  const down = asked.filter(({ answer }) => answer.error && !answer.data);
  const isLoading =
    aside === undefined ||
    ownRef === undefined ||
    asked.some(({ answer }) => answer.isPending && !answer.error);
  const put = (need: Need, kind: 'done' | 'snoozed') => {
    setAside(need, kind);
    setNote({
      text: t(`inbox.${kind}Note`, { title: need.title }),
      key: need.key,
    });
  };

  return (
    <Panel title={t('inbox.title')} padded={false}>
      {isLoading && waiting.length === 0 && (
        <LoadingRows label={t('inbox.loading')} rows={3} />
      )}
      {!isLoading && waiting.length === 0 && (
        <div className="slw-HomeCardState">
          <EmptyState
            level={3}
            title={t('inbox.empty')}
            description={t('inbox.emptyText')}
          />
        </div>
      )}
      <ul className="slw-Needs">
        {waiting.map(need => (
          <li key={need.key} className="slw-Need">
            <NeedText need={need} />
            <ButtonLink size="small" variant="secondary" href={need.page}>
              {need.action}
            </ButtonLink>
            <ButtonIcon
              size="small"
              variant="tertiary"
              icon={<RiTimeLine size={16} />}
              aria-label={t('inbox.markSnoozed', { title: need.title })}
              onPress={() => put(need, 'snoozed')}
            />
            <ButtonIcon
              size="small"
              variant="tertiary"
              icon={<RiCheckLine size={16} />}
              aria-label={t('inbox.markDone', { title: need.title })}
              onPress={() => put(need, 'done')}
            />
          </li>
        ))}
      </ul>
      <div className="slw-InboxFoot" role="status">
        {note && (
          <span className="slw-InboxNote">
            {note.text}
            <Button
              size="small"
              variant="tertiary"
              onPress={() => {
                putBack(note.key);
                setNote(undefined);
              }}
            >
              {t('inbox.undo')}
            </Button>
          </span>
        )}
        {down.length > 0 && (
          <span>
            {t('inbox.missing', {
              parts: down.map(({ part }) => part.title).join(', '),
            })}
          </span>
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
              <ButtonIcon
                size="small"
                variant="tertiary"
                icon={<RiInboxUnarchiveLine size={16} />}
                aria-label={t('inbox.bringBack', { title: need.title })}
                onPress={() => putBack(need.key)}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Returns the user's entity reference; undefined until it is known. */
function useOwnRef(): string | undefined {
  const identityApi = useApi(identityApiRef);
  const [ref, setRef] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    identityApi.getBackstageIdentity().then(
      ({ userEntityRef }) => isCurrent && setRef(userEntityRef),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [identityApi]);
  return ref;
}

/** Removes duplicates and sorts by urgency, then newest first. */
function byUrgency(needs: readonly Need[]): Need[] {
  const unique = new Map(needs.map(need => [need.key, need]));
  return [...unique.values()].sort(
    (one, other) =>
      Number(other.tone === 'bad') - Number(one.tone === 'bad') ||
      Date.parse(other.at) - Date.parse(one.at),
  );
}
