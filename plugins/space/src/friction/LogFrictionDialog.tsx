import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Dialog, DialogHeader } from '@backstage/ui';
import type { Friction } from '../api/types';
import { spaceTranslationRef } from '../translation';
import { FrictionLogged } from './FrictionLogged';
import { LogFrictionForm } from './LogFrictionForm';

/** Logs what got in the way, from anywhere; then what others logged. */
export function LogFrictionDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const [logged, setLogged] = useState<Friction>();
  return (
    <Dialog
      isOpen
      onOpenChange={isOpen => {
        if (!isOpen) {
          onClose();
        }
      }}
      width="min(600px, calc(100vw - 32px))"
    >
      <DialogHeader>
        {t(logged ? 'logFriction.doneTitle' : 'logFriction.title')}
      </DialogHeader>
      {logged ? (
        <FrictionLogged
          friction={logged}
          onAnother={() => setLogged(undefined)}
        />
      ) : (
        <LogFrictionForm onLogged={setLogged} />
      )}
    </Dialog>
  );
}
