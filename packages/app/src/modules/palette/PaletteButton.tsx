import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { paletteApiRef, useAct } from '@slipway/app-react';
import { RiSearchLine } from '@remixicon/react';
import { appTranslationRef } from '../../translation';
import {
  isApple,
  type ShortcutPage,
  ShortcutPagesContext,
  useShortcuts,
} from './useShortcuts';

const loadPalette = () => import('./Palette');
const Palette = lazy(() => loadPalette().then(m => ({ default: m.Palette })));

/** Delay after page load until the palette's code is preloaded, so that it opens instantly. */
const LATER_MS = 3_000;

/** The list of shortcuts as an entry; `?` opens it as well. */
const SHORTCUTS = {
  id: 'shortcuts',
  title: '',
  kind: '',
  act: { type: 'dialog', dialog: 'shortcuts' },
} as const;

/** Props of {@link PaletteButton}. */
interface PaletteButtonProps {
  /** The pages that have shortcuts. */
  pages: readonly ShortcutPage[];
}

/**
 * Opens the palette, as `/` and Ctrl K (⌘ K on Apple) do; also handles the portal's
 * other shortcuts, which `?` lists.
 */
export function PaletteButton({ pages }: PaletteButtonProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const [isOpen, setIsOpen] = useState(false);
  const { act, dialog } = useAct();
  const sources = useApi(paletteApiRef).sources();
  const portal = useMemo(
    () => sources.find(({ dialogs }) => 'shortcuts' in dialogs),
    [sources],
  );

  useShortcuts({
    pages,
    onTogglePalette: () => setIsOpen(current => !current),
    onOpenPalette: () => setIsOpen(true),
    onOpenHelp: () => portal && act(SHORTCUTS, portal),
  });
  useEffect(() => {
    const timer = setTimeout(loadPalette, LATER_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <ShortcutPagesContext.Provider value={pages}>
      <button
        type="button"
        className="slw-NavLink slw-NavSearch"
        title={t('nav.search')}
        aria-keyshortcuts={isApple ? 'Meta+K /' : 'Control+K /'}
        onPointerEnter={loadPalette}
        onClick={() => setIsOpen(true)}
      >
        <span className="slw-NavIcon" aria-hidden>
          <RiSearchLine size={20} />
        </span>
        <span className="slw-NavText">{t('nav.search')}</span>
        <kbd aria-hidden>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <Suspense fallback={null}>
        {isOpen && (
          <Palette
            onClose={() => setIsOpen(false)}
            onChoose={({ item, source }) => act(item, source)}
          />
        )}
        {dialog}
      </Suspense>
    </ShortcutPagesContext.Provider>
  );
}
