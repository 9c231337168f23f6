import {
  type MouseEvent,
  type ReactNode,
  Fragment,
  useContext,
  useId,
} from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { PaletteEntry } from '@slipway/app-react';
import { appTranslationRef } from '../../translation';
import type { Ranked } from './rank';
import { keyOf, type ResultGroup } from './usePaletteResults';
import { ShortcutPagesContext } from './useShortcuts';

/** Renders the list below the palette's field, which keeps the focus and moves through the list. */
export function PaletteResults(props: {
  id: string;
  groups: readonly ResultGroup[];
  /** Index of the active row among all rows. */
  active: number;
  optionId(place: number): string;
  onMove(entry: PaletteEntry): void;
  onChoose(entry: PaletteEntry, isApart: boolean): void;
}) {
  const { id, groups, active, optionId, onMove, onChoose } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const starts = groups.map((_, place) =>
    groups
      .slice(0, place)
      .reduce((sum, { results }) => sum + results.length, 0),
  );
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('palette.results')}
      className="slw-PaletteResults"
    >
      {groups.map((group, groupPlace) => (
        <Group key={group.id} id={group.id}>
          {group.results.map((ranked, place) => {
            const at = starts[groupPlace] + place;
            return (
              <Row
                key={keyOf(ranked.entry)}
                id={optionId(at)}
                ranked={ranked}
                isActive={at === active}
                onMove={() => at !== active && onMove(ranked.entry)}
                onChoose={isApart => onChoose(ranked.entry, isApart)}
              />
            );
          })}
        </Group>
      ))}
    </div>
  );
}

/** Renders rows under a heading; the results of a search are one list without a heading. */
function Group(props: { id: ResultGroup['id']; children: ReactNode }) {
  const { t } = useTranslationRef(appTranslationRef);
  const headingId = useId();
  if (props.id === 'results') {
    return <>{props.children}</>;
  }
  return (
    <div role="group" aria-labelledby={headingId}>
      <div id={headingId} className="slw-PaletteGroup" role="presentation">
        {t(`palette.${props.id}`)}
      </div>
      {props.children}
    </div>
  );
}

function Row(props: {
  id: string;
  ranked: Ranked;
  isActive: boolean;
  onMove(): void;
  onChoose(isApart: boolean): void;
}) {
  const { id, ranked, isActive, onMove, onChoose } = props;
  const { item, source } = ranked.entry;
  const { title, kind, detail, act, icon = source.icon } = item;
  const pages = useContext(ShortcutPagesContext);
  const letter =
    act.type === 'open' && pages.find(({ href }) => href === act.href)?.letter;
  return (
    // The field has the focus and handles keys: rows only handle the pointer.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className="slw-PaletteRow"
      // Keeps the focus in the field.
      onMouseDown={event => event.preventDefault()}
      onMouseMove={onMove}
      onClick={(event: MouseEvent) => onChoose(event.ctrlKey || event.metaKey)}
      onAuxClick={event => event.button === 1 && onChoose(true)}
    >
      <span className="slw-PaletteIcon" aria-hidden>
        {icon}
      </span>
      <span className="slw-PaletteText">
        <span className="slw-PaletteTitle">
          <Marked text={title} marks={ranked.marks} />
        </span>
        {detail && <span className="slw-PaletteDetail">{detail}</span>}
      </span>
      {letter && (
        <span className="slw-PaletteKeys" aria-hidden>
          <kbd>G</kbd> <kbd>{letter}</kbd>
        </span>
      )}
      <span className="slw-PaletteKind">{kind}</span>
    </div>
  );
}

/** Renders a text with the matching parts highlighted. */
function Marked({ text, marks }: { text: string; marks: readonly number[] }) {
  const cuts = [0, ...marks, text.length];
  return (
    <>
      {cuts.slice(1).map((end, place) => {
        const part = text.slice(cuts[place], end);
        return (
          <Fragment key={place}>
            {place % 2 === 1 ? <mark>{part}</mark> : part}
          </Fragment>
        );
      })}
    </>
  );
}
