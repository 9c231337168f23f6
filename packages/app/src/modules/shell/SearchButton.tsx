import { useEffect, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { Command } from '@slipway/app-react';
import { RiSearchLine } from '@remixicon/react';
import { appTranslationRef } from '../../translation';
import { SearchPalette } from '../search/SearchPalette';

const isApple = /Mac|iPhone|iPad/.test(window.navigator.userAgent);

/** Opens search and commands, as Ctrl K (⌘ K on Apple) does from anywhere. */
export function SearchButton() {
  const { t } = useTranslationRef(appTranslationRef);
  const [isOpen, setIsOpen] = useState(false);
  const [running, setRunning] = useState<Command>();

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut = isApple ? event.metaKey : event.ctrlKey;
      if (isShortcut && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setIsOpen(current => !current);
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <>
      <button
        type="button"
        className="slw-NavLink slw-NavSearch"
        title={t('nav.search')}
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={() => setIsOpen(true)}
      >
        <span className="slw-NavIcon" aria-hidden>
          <RiSearchLine size={20} />
        </span>
        <span className="slw-NavText">{t('nav.search')}</span>
        <kbd aria-hidden>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <SearchPalette
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        onCommand={command => {
          setIsOpen(false);
          setRunning(command);
        }}
      />
      {running && <running.Dialog onClose={() => setRunning(undefined)} />}
    </>
  );
}
