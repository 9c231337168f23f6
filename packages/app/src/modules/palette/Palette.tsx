import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Dialog, DialogHeader } from '@backstage/ui';
import { RiSearchLine } from '@remixicon/react';
import {
  AppQueries,
  type PaletteEntry,
  paletteApiRef,
} from '@slipway/app-react';
import { useNavigate } from 'react-router-dom';
import { appTranslationRef } from '../../translation';
import { PaletteResults } from './PaletteResults';
import {
  keyOf,
  type PaletteScope,
  usePaletteResults,
} from './usePaletteResults';
import './Palette.css';

/** Props of {@link Palette}. */
interface PaletteProps {
  onClose(): void;
  /** Runs the chosen entry, after the palette has closed. */
  onChoose(entry: PaletteEntry): void;
}

/** Searches pages, entities and actions from anywhere: type, arrow down, Enter. */
export function Palette(props: PaletteProps) {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Dialog
      isOpen
      onOpenChange={props.onClose}
      width={680}
      className="slw-Palette"
    >
      <DialogHeader className="slw-PaletteHead">{t('nav.search')}</DialogHeader>
      <AppQueries>
        <PaletteContent {...props} />
      </AppQueries>
    </Dialog>
  );
}

/** Prefixes that narrow the results. */
const PREFIXES: Record<string, PaletteScope> = {
  '>': 'actions',
  '@': 'palette-source:app/people',
};
/** Number of rows that Page Up and Page Down move by. */
const PAGE = 8;

function PaletteContent({ onClose, onChoose }: PaletteProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const navigate = useNavigate();
  const id = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [scope, setScope] = useState<PaletteScope>();
  // The row that the user moved to; otherwise the first, whatever loads later.
  const [activeKey, setActiveKey] = useState<string>();
  const { groups, remember, isLoading, failed } = usePaletteResults(
    words,
    scope,
  );
  const rows = groups.flatMap(({ results }) => results);
  const found = rows.findIndex(({ entry }) => keyOf(entry) === activeKey);
  const active = Math.max(0, found);
  const optionId = (place: number) => `${id}-${place}`;

  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView?.({
      block: 'nearest',
    });
  }, [id, active]);

  const narrow = (next: PaletteScope) => {
    setScope(next);
    setActiveKey(undefined);
    inputRef.current?.focus();
  };
  const type = (text: string) => {
    const narrowed = scope === undefined ? PREFIXES[text[0]] : undefined;
    if (narrowed) {
      setScope(narrowed);
    }
    setWords(narrowed ? text.slice(1).trimStart() : text);
    setActiveKey(undefined);
  };
  const choose = (entry: PaletteEntry, isApart: boolean) => {
    remember(entry);
    const { act } = entry.item;
    if (isApart && act.type === 'open') {
      window.open(act.href, '_blank', 'noopener');
      return;
    }
    onClose();
    onChoose(entry);
  };
  const searchAll = () => {
    navigate(`/search?query=${encodeURIComponent(words.trim())}`);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) {
      return;
    }
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE,
      PageUp: -PAGE,
    }[event.key];
    if (step !== undefined && rows.length > 0) {
      event.preventDefault();
      setActiveKey(keyOf(rows[placeAfter(active, step, rows.length)].entry));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (rows.length > 0) {
        choose(rows[active].entry, event.ctrlKey || event.metaKey);
      } else if (words.trim() !== '') {
        searchAll();
      }
    } else if (event.key === 'Backspace' && words === '' && scope) {
      narrow(undefined);
    }
  };

  return (
    <>
      <div className="slw-PaletteField">
        <RiSearchLine size={20} aria-hidden />
        <input
          ref={inputRef}
          // The user opened the palette to type.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          type="text"
          role="combobox"
          aria-label={t('nav.search')}
          aria-expanded={rows.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={rows.length > 0 ? optionId(active) : undefined}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={t('palette.placeholder')}
          value={words}
          onChange={event => type(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Scopes scope={scope} onChange={narrow} />
      <PaletteResults
        id={`${id}-list`}
        groups={groups}
        active={active}
        optionId={optionId}
        onMove={entry => setActiveKey(keyOf(entry))}
        onChoose={choose}
      />
      <div className="slw-PaletteFoot">
        <span role="status">
          {isLoading && rows.length === 0
            ? t('palette.loading')
            : t('palette.count', { count: rows.length })}
          {failed.length > 0 &&
            ` · ${t('palette.missing', { parts: failed.join(', ') })}`}
        </span>
        {words.trim() !== '' && (
          <button type="button" onClick={searchAll}>
            {t('palette.searchAll', { words: words.trim() })}
          </button>
        )}
      </div>
    </>
  );
}

/** Returns the next index: single steps wrap around, a page stops at the ends. */
function placeAfter(active: number, step: number, count: number): number {
  const next = active + step;
  return Math.abs(step) === 1
    ? (next + count) % count
    : Math.min(Math.max(next, 0), count - 1);
}

/** The scopes to which results can be narrowed. */
function Scopes(props: {
  scope: PaletteScope;
  onChange(scope: PaletteScope): void;
}) {
  const { scope, onChange } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const sources = useApi(paletteApiRef).sources();
  const scopes: { id: PaletteScope; title: string }[] = [
    { id: undefined, title: t('palette.all') },
    { id: 'actions', title: t('palette.actions') },
    ...sources.filter(({ isScope }) => isScope),
  ];
  const prefixOf = (id: PaletteScope) =>
    Object.keys(PREFIXES).find(prefix => PREFIXES[prefix] === id);
  return (
    <div
      className="slw-PaletteScopes"
      role="group"
      aria-label={t('palette.scopes')}
    >
      {scopes.map(({ id, title }) => (
        <button
          key={id ?? ''}
          type="button"
          aria-pressed={scope === id}
          onClick={() => onChange(id)}
        >
          {title}
          {prefixOf(id) && <kbd aria-hidden>{prefixOf(id)}</kbd>}
        </button>
      ))}
    </div>
  );
}
