import { useEffect, useState } from 'react';
import {
  identityApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { ButtonIcon } from '@backstage/ui';
import { RiFeedbackLine } from '@remixicon/react';
import { SidebarFootButton } from '@slipway/app-react';
import { feedbackTranslationRef } from '../translation';
import { SendFeedbackDialog } from './SendFeedbackDialog';
import styles from './widget.module.css';

/**
 * The button on every page for signed-in users: at the bottom of the sidebar, or in the corner
 * of pages without one.
 */
export function FeedbackButton() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const isSignedIn = useIsSignedIn();
  const [isOpen, setIsOpen] = useState(false);
  if (!isSignedIn) {
    return null;
  }
  return (
    <>
      <SidebarFootButton
        label={t('widget.open')}
        icon={<RiFeedbackLine size={20} />}
        onPress={() => setIsOpen(true)}
        otherwise={
          <div className={styles.corner}>
            <ButtonIcon
              variant="secondary"
              aria-label={t('widget.open')}
              icon={<RiFeedbackLine size={20} />}
              onPress={() => setIsOpen(true)}
            />
          </div>
        }
      />
      {isOpen && <SendFeedbackDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Returns whether a user is signed in: the identity API only resolves then. */
function useIsSignedIn(): boolean {
  const identityApi = useApi(identityApiRef);
  const [isSignedIn, setIsSignedIn] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    identityApi.getBackstageIdentity().then(
      () => isCurrent && setIsSignedIn(true),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [identityApi]);
  return isSignedIn;
}
