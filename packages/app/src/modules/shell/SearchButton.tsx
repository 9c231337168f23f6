import { useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { type Command, commandsApiRef } from '@slipway/app-react';
import { RiSearchLine } from '@remixicon/react';
import { appTranslationRef } from '../../translation';
import { SearchPalette } from '../search/SearchPalette';
import { ShortcutsDialog } from '../search/ShortcutsDialog';
import {
  isApple,
  type ShortcutPage,
  ShortcutPagesContext,
  useShortcuts,
} from '../search/useShortcuts';

/** Props of {@link SearchButton}. */
interface SearchButtonProps {
  /** The pages that shortcuts lead to. */
  pages: readonly ShortcutPage[];
}

/**
 * Opens search and commands, as `/` and Ctrl K (⌘ K on Apple) do; brings the other
 * shortcuts of the portal too, which `?` lists.
 */
export function SearchButton({ pages }: SearchButtonProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const [isOpen, setIsOpen] = useState(false);
  const [running, setRunning] = useState<Command>();
  const help: Command = {
    id: 'shortcuts',
    title: t('shortcuts.title'),
    keywords: t('shortcuts.keywords').split(' '),
    Dialog: ShortcutsDialog,
  };
  const commands = [...useApi(commandsApiRef).list(), help];

  useShortcuts({
    pages,
    onTogglePalette: () => setIsOpen(current => !current),
    onOpenPalette: () => setIsOpen(true),
    onOpenHelp: () => setRunning(help),
  });

  return (
    <ShortcutPagesContext.Provider value={pages}>
      <button
        type="button"
        className="slw-NavLink slw-NavSearch"
        title={t('nav.search')}
        aria-keyshortcuts={isApple ? 'Meta+K /' : 'Control+K /'}
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
        commands={commands}
        onCommand={command => {
          setIsOpen(false);
          setRunning(command);
        }}
      />
      {running && <running.Dialog onClose={() => setRunning(undefined)} />}
    </ShortcutPagesContext.Provider>
  );
}
