import { KeyboardEvent, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Dialog, DialogBody, DialogHeader, SearchField } from '@backstage/ui';
import { describeError } from '@slipway/design-system';
import { Link, useNavigate } from 'react-router-dom';
import { appTranslationRef } from '../../translation';
import { SearchResults, useSearchResults } from './useSearchResults';
import './SearchPalette.css';

/** Props of {@link SearchPalette}. */
export interface SearchPaletteProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

/** Search over the page: type, arrow down, Enter. Enter in the field opens all results. */
export function SearchPalette({ isOpen, onOpenChange }: SearchPaletteProps) {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      width={640}
      className="slw-SearchPalette"
    >
      <DialogHeader>{t('nav.search')}</DialogHeader>
      <DialogBody>
        <Palette close={() => onOpenChange(false)} />
      </DialogBody>
    </Dialog>
  );
}

function Palette({ close }: { close: () => void }) {
  const { t } = useTranslationRef(appTranslationRef);
  const navigate = useNavigate();
  const [term, setTerm] = useState('');
  const results = useSearchResults(term);
  const ref = useRef<HTMLDivElement>(null);

  const moveFocus = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [...(ref.current?.querySelectorAll('input, a') ?? [])];
    const from = stops.findIndex(stop => stop === document.activeElement);
    const target = step === undefined ? undefined : stops[from + step];
    if (target instanceof HTMLElement) {
      event.preventDefault();
      target.focus();
    }
  };

  return (
    // Arrow keys move among the field and the links, which stay as they are for
    // Tab. On capture, because the field keeps its keys to itself.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={ref} onKeyDownCapture={moveFocus}>
      <SearchField
        // The palette was opened to type into it.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label={t('nav.search')}
        placeholder={t('search.placeholder')}
        value={term}
        onChange={setTerm}
        onSubmit={words => {
          navigate(`/search?query=${encodeURIComponent(words)}`);
          close();
        }}
      />
      <div className="slw-SearchResults" role="status">
        <Results results={results} close={close} />
      </div>
    </div>
  );
}

function Results(props: { results: SearchResults; close: () => void }) {
  const { results, close } = props;
  const { t } = useTranslationRef(appTranslationRef);
  if (results.state === 'failed') {
    return (
      <p>
        {t('search.failed')} {describeError(results.error).message}
      </p>
    );
  }
  if (results.state !== 'ready') {
    return <p>{t(`search.${results.state}`)}</p>;
  }
  if (results.pages.length === 0) {
    return <p>{t('search.none')}</p>;
  }
  return (
    <ul>
      {results.pages.map(page => (
        <li key={page.location}>
          <Link to={page.location} onClick={close}>
            <strong>{page.title}</strong>
            <span>{page.text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
