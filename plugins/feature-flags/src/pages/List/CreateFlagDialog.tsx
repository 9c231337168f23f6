import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Dialog, DialogHeader } from '@backstage/ui';
import { useNavigate } from 'react-router-dom';
import { useLinks } from '../../data/useLinks';
import { flagsTranslationRef } from '../../translation';
import { CreateFlagForm } from './CreateFlagForm';

/** Creates a flag, from anywhere, and opens it. */
export function CreateFlagDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const navigate = useNavigate();
  return (
    <Dialog
      isOpen
      onOpenChange={isOpen => {
        if (!isOpen) {
          onClose();
        }
      }}
      width="min(560px, calc(100vw - 32px))"
    >
      <DialogHeader>{t('create.title')}</DialogHeader>
      <CreateFlagForm
        onCreated={({ name }) => {
          onClose();
          navigate(links.flag(name));
        }}
      />
    </Dialog>
  );
}
