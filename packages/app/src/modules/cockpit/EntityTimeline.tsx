import { useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useSearchParams } from 'react-router-dom';
import { Button } from '@backstage/ui';
import {
  ActionButtons,
  ActionMenu,
  useEntityTimeline,
} from '@slipway/app-react';
import { LoadingRows, Panel, useFocusNearby } from '@slipway/design-system';
import type { ItemKind, TimelineItem } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';
import { subjectOf, suspectsOf } from './actionSubjects';
import { joinTimeline } from './joinTimeline';
import { ITEM_ICONS, TimelineEntry } from './TimelineEntry';
import './Cockpit.css';

/** Name of the URL parameter for the kinds shown: `?show=build,flag`. */
const PARAMETER = 'show';
/** Periods that the list can cover, in days. */
const DAYS = [30, 90, 180, 365] as const;
const LIMIT = 100;
/** Number of latest failures with directly visible actions. */
const URGENT = 3;
/** The kinds for which parts offer actions. */
const ACTED_ON: ReadonlySet<ItemKind> = new Set([
  'commit',
  'build',
  'deployment',
  'flag',
  'incident',
  'feedback',
]);
/** Number of rows shown at first. */
const ROWS = 20;

/**
 * Shows what happened to an entity, from all parts in one list, filtered by kind. Items of a system
 * or group name their component.
 */
export function EntityTimeline({ entityRef }: { entityRef: string }) {
  const { t } = useTranslationRef(appTranslationRef);
  const [step, setStep] = useState(0);
  const [rows, setRows] = useState(ROWS);
  const { isShown, toggle } = useKinds();
  const more = useRef<HTMLDivElement>(null);
  useFocusNearby(more);
  const asked = useEntityTimeline(entityRef, {
    days: DAYS[step],
    limit: LIMIT,
  });
  const all = joinTimeline(
    asked.flatMap(({ answer }) => answer.data?.items ?? []),
  );
  const items = all.filter(({ kind }) => isShown(kind));
  const down = asked.filter(
    ({ answer }) => answer.error && (!answer.data || answer.isPlaceholderData),
  );
  const isLoading = asked.some(
    ({ answer }) => answer.isPending && !answer.error,
  );
  // Until all parts have responded, it is unknown which come first: buttons would move between
  // rows.
  const urgent = isLoading
    ? []
    : items
        .filter(({ tone, kind }) => tone === 'bad' && ACTED_ON.has(kind))
        .slice(0, URGENT);
  const isExtending = asked.some(
    ({ answer }) => answer.isPlaceholderData && !answer.error,
  );
  const isCut = asked.some(({ answer }) => answer.data?.truncated);
  const days = String(DAYS[step]);
  const kinds = (Object.keys(ITEM_ICONS) as ItemKind[]).filter(kind =>
    asked.some(({ part }) => part.kinds.includes(kind)),
  );
  // Where a part lists only the user's own items, their count differs from the one on the part's
  // card.
  const isOwnOnly = (kind: ItemKind) =>
    asked.some(
      ({ part, answer }) => answer.data?.ownOnly && part.kinds.includes(kind),
    );
  return (
    <Panel title={t('timeline.title')} padded={false}>
      <div
        className="slw-TimelineKinds"
        role="group"
        aria-label={t('timeline.filter')}
      >
        {kinds.map(kind => (
          <button
            key={kind}
            type="button"
            className="slw-TimelineKind"
            aria-pressed={isShown(kind)}
            onClick={() => toggle(kind, kinds)}
          >
            {isOwnOnly(kind)
              ? t('timeline.own', {
                  kind: t(`timeline.kinds.${kind}`).toLocaleLowerCase(),
                })
              : t(`timeline.kinds.${kind}`)}
            <span className="slw-TimelineCount">
              {all.filter(item => item.kind === kind).length}
            </span>
          </button>
        ))}
      </div>
      {down.length > 0 && (
        <p className="slw-TimelineNote" role="status">
          {t('timeline.missing', {
            parts: down.map(({ part }) => part.title).join(', '),
          })}
        </p>
      )}
      {isLoading && items.length === 0 && (
        <LoadingRows label={t('timeline.loading')} rows={6} />
      )}
      {!isLoading && !isExtending && items.length === 0 && (
        <p className="slw-TimelineNote">
          {t(all.length > 0 ? 'timeline.noMatch' : 'timeline.none', { days })}
        </p>
      )}
      <ol className="slw-Timeline">
        {items.slice(0, rows).map(item => (
          <Row
            key={item.id}
            item={item}
            all={all}
            entityRef={entityRef}
            isUrgent={urgent.includes(item)}
          />
        ))}
      </ol>
      <div ref={more} className="slw-TimelineMore">
        {items.length > rows ? (
          <Button
            size="small"
            variant="tertiary"
            onPress={() => setRows(rows + ROWS)}
          >
            {t('timeline.more')}
          </Button>
        ) : (
          (isExtending || step < DAYS.length - 1) &&
          !isLoading && (
            <Button
              size="small"
              variant="tertiary"
              isPending={isExtending}
              onPress={() => setStep(step + 1)}
            >
              {t('timeline.earlier', {
                days: String(DAYS[isExtending ? step : step + 1]),
              })}
            </Button>
          )
        )}
        {isCut && (
          <span className="slw-TimelineCut">
            {t('timeline.cut', { most: String(LIMIT) })}
          </span>
        )}
      </div>
    </Panel>
  );
}

/** Returns the kinds in the URL; all kinds by default. */
function useKinds() {
  const [params, setParams] = useSearchParams();
  const text = params.get(PARAMETER) ?? '';
  const shown = new Set<string>(text.split(',').filter(Boolean));
  return {
    isShown: (kind: ItemKind) => shown.size === 0 || shown.has(kind),
    toggle(kind: ItemKind, kinds: readonly ItemKind[]) {
      const next = new Set(shown);
      if (!next.delete(kind)) {
        next.add(kind);
      }
      setParams(
        current => {
          const changed = new URLSearchParams(current);
          if (next.size === 0 || next.size === kinds.length) {
            changed.delete(PARAMETER);
          } else {
            changed.set(PARAMETER, [...next].join());
          }
          return changed;
        },
        { replace: true, preventScrollReset: true },
      );
    },
  };
}

function Row(props: {
  item: TimelineItem;
  all: readonly TimelineItem[];
  entityRef: string;
  /** Shows its actions directly rather than in a menu. */
  isUrgent: boolean;
}) {
  const { item, all, entityRef, isUrgent } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const { kind, title } = item;
  const context = {
    all,
    entityRef: entityRef.startsWith('component:') ? entityRef : undefined,
  };
  const subject = subjectOf(item, context);
  return (
    <TimelineEntry
      item={item}
      entityRef={entityRef}
      menu={
        subject &&
        !isUrgent &&
        ACTED_ON.has(kind) && <ActionMenu subject={subject} />
      }
    >
      {subject && isUrgent && (
        <ActionButtons
          subjects={[subject, ...suspectsOf(item, context)]}
          label={t('timeline.actions', { title })}
          className="slw-TimelineActions"
        />
      )}
    </TimelineEntry>
  );
}
