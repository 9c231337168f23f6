import { Fragment, type ReactNode, useContext, useId, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Switch } from '@backstage/ui';
import type { PaletteDialogProps } from '@slipway/app-react';
import { Modal } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { isApple, ShortcutPagesContext, singleKeys } from './useShortcuts';
import './ShortcutsDialog.css';

/** Lists the shortcuts of the portal, and switches the single-key ones off and on. */
export function ShortcutsDialog({ onClose }: PaletteDialogProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const pages = useContext(ShortcutPagesContext);
  const [areOn, setAreOn] = useState(singleKeys.areOn);
  return (
    <Modal
      isOpen
      onOpenChange={onClose}
      title={t('shortcuts.title')}
      width={480}
    >
      <Shortcuts title={t('shortcuts.anywhere')}>
        <Shortcut
          does={t('shortcuts.palette')}
          keys={isApple ? ['⌘', 'K'] : ['Ctrl', 'K']}
        />
        <Shortcut does={t('shortcuts.palette')} keys={['/']} />
        <Shortcut does={t('shortcuts.help')} keys={['?']} />
      </Shortcuts>
      {pages.length > 0 && (
        <Shortcuts title={t('shortcuts.pages')}>
          {pages.map(({ letter, title }) => (
            <Shortcut key={letter} does={title} keys={['G', letter]} />
          ))}
        </Shortcuts>
      )}
      <Switch
        label={t('shortcuts.singleKeys')}
        isSelected={areOn}
        onChange={next => {
          singleKeys.set(next);
          setAreOn(next);
        }}
      />
    </Modal>
  );
}

function Shortcuts(props: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="slw-Shortcuts" aria-labelledby={id}>
      <h3 id={id}>{props.title}</h3>
      <dl>{props.children}</dl>
    </section>
  );
}

function Shortcut({ does, keys }: { does: string; keys: readonly string[] }) {
  return (
    <div>
      <dt>{does}</dt>
      <dd>
        {keys.map((key, place) => (
          <Fragment key={key}>
            {place > 0 && ' '}
            <kbd>{key}</kbd>
          </Fragment>
        ))}
      </dd>
    </div>
  );
}
