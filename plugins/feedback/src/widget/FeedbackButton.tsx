import { useEffect, useState } from 'react';
import {
  identityApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { ButtonIcon, Tooltip, TooltipTrigger } from '@backstage/ui';
import { RiFeedbackLine } from '@remixicon/react';
import { feedbackTranslationRef } from '../translation';
import { SendFeedbackDialog } from './SendFeedbackDialog';
import styles from './widget.module.css';

/** On every page, once somebody is signed in: in its corner, or in the bar above a narrow one. */
export function FeedbackButton() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const isSignedIn = useIsSignedIn();
  const [isOpen, setIsOpen] = useState(false);
  if (!isSignedIn) {
    return null;
  }
  return (
    <>
      <div className={styles.corner}>
        <TooltipTrigger>
          <ButtonIcon
            variant="secondary"
            aria-label={t('widget.open')}
            icon={<RiFeedbackLine size={20} />}
            onPress={() => setIsOpen(true)}
          />
          <Tooltip placement="left">{t('widget.open')}</Tooltip>
        </TooltipTrigger>
      </div>
      {isOpen && <SendFeedbackDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** The identity answers once there is one. */
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
