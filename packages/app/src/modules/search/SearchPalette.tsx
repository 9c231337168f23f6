import { KeyboardEvent, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Dialog, DialogBody, DialogHeader, SearchField } from '@backstage/ui';
import { type Command, useErrorWords } from '@slipway/app-react';
import { Link, useNavigate } from 'react-router-dom';
import { appTranslationRef } from '../../translation';
import {
  matchCommands,
  SearchResults,
  useSearchResults,
} from './useSearchResults';
import './SearchPalette.css';

/** Props of {@link SearchPalette}. */
export interface SearchPaletteProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  /** All that can be done here; what is typed narrows them. */
  commands: readonly Command[];
  /** A command was chosen; the palette has nothing more to do. */
  onCommand(command: Command): void;
}

/** Search and commands over the page: type, arrow down, Enter. Enter in the field opens all results. */
export function SearchPalette(props: SearchPaletteProps) {
  const { isOpen, onOpenChange, commands, onCommand } = props;
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
        <Palette
          close={() => onOpenChange(false)}
          commands={commands}
          onCommand={onCommand}
        />
      </DialogBody>
    </Dialog>
  );
}

/** Selector of the elements that the arrow keys move among. */
const STOPS = 'input, .slw-SearchResults :is(a, button)';

function Palette(props: {
  close: () => void;
  commands: readonly Command[];
  onCommand: (command: Command) => void;
}) {
  const { close, onCommand } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const navigate = useNavigate();
  const [term, setTerm] = useState('');
  const results = useSearchResults(term);
  const commands = matchCommands(props.commands, term);
  const ref = useRef<HTMLDivElement>(null);

  const moveFocus = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [...(ref.current?.querySelectorAll(STOPS) ?? [])];
    const from = stops.findIndex(stop => stop === document.activeElement);
    const target = step === undefined ? undefined : stops[from + step];
    if (target instanceof HTMLElement) {
      event.preventDefault();
      target.focus();
    }
  };

  return (
    // Arrow keys move among the field and what stands below, which stays as it
    // is for Tab. On capture, because the field keeps its keys to itself.
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
      <div className="slw-SearchResults">
        {commands.length > 0 && (
          <ul aria-label={t('search.commands')}>
            {commands.map(command => (
              <li key={command.id}>
                <button type="button" onClick={() => onCommand(command)}>
                  <strong>{command.title}</strong>
                  <span>{t('search.command')}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        <div role="status">
          <Results results={results} close={close} />
        </div>
      </div>
    </div>
  );
}

function Results(props: { results: SearchResults; close: () => void }) {
  const { results, close } = props;
  const errorWords = useErrorWords();
  const { t } = useTranslationRef(appTranslationRef);
  if (results.state === 'failed') {
    return (
      <p>
        {t('search.failed')} {errorWords(results.error)}
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
