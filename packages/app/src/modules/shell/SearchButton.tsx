import { useEffect } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { SearchModal, useSearchModal } from '@backstage/plugin-search';
import { RiSearchLine } from '@remixicon/react';
import { appTranslationRef } from '../../translation';

const isApple = /Mac|iPhone|iPad/.test(window.navigator.userAgent);

/** Opens search, as Ctrl K (⌘ K on Apple) does from anywhere. */
export function SearchButton() {
  const { t } = useTranslationRef(appTranslationRef);
  const { state, toggleModal } = useSearchModal();

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut = isApple ? event.metaKey : event.ctrlKey;
      if (isShortcut && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        toggleModal();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [toggleModal]);

  return (
    <>
      <button
        type="button"
        className="slw-NavLink slw-NavSearch"
        title={t('nav.search')}
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={toggleModal}
      >
        <span className="slw-NavIcon" aria-hidden>
          <RiSearchLine size={20} />
        </span>
        <span className="slw-NavText">{t('nav.search')}</span>
        <kbd aria-hidden>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <SearchModal {...state} toggleModal={toggleModal} />
    </>
  );
}
