import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  ButtonLink,
  Dialog,
  DialogBody,
  DialogFooter,
  DialogHeader,
} from '@backstage/ui';
import { useLocation } from 'react-router-dom';
import { Done } from '../components/Done';
import { useLinks } from '../data/useLinks';
import { feedbackTranslationRef } from '../translation';
import { FeedbackForm } from './FeedbackForm';

/** Sends feedback about the page that is open, from anywhere. */
export function SendFeedbackDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { pathname } = useLocation();
  const links = useLinks();
  const [sent, setSent] = useState<{ isAnonymous: boolean }>();
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
      <DialogHeader>
        {t(sent ? 'widget.doneTitle' : 'widget.title')}
      </DialogHeader>
      {sent ? (
        <>
          <DialogBody>
            <Done>
              {t(sent.isAnonymous ? 'widget.doneAnonymous' : 'widget.done')}
            </Done>
          </DialogBody>
          <DialogFooter>
            {!sent.isAnonymous && (
              <ButtonLink
                variant="secondary"
                href={links.mine()}
                onPress={onClose}
              >
                {t('widget.follow')}
              </ButtonLink>
            )}
            <Button variant="primary" slot="close">
              {t('widget.close')}
            </Button>
          </DialogFooter>
        </>
      ) : (
        <FeedbackForm page={pathname} onSent={setSent} />
      )}
    </Dialog>
  );
}
