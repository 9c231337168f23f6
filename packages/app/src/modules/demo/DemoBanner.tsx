import { useEffect, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiFlaskLine } from '@remixicon/react';
import { useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { type Demo, useDemo } from './DemoApi';
import './DemoBanner.css';

/** Key in local storage that says whether the banner was shown last. */
const SHOWN = 'slipway.demoBanner';

/**
 * Shows on every page that the data belongs to the demo organisation, and lets admins
 * remove it.
 */
export function DemoBanner() {
  const { t } = useTranslationRef(appTranslationRef);
  const errorWords = useErrorWords();
  const { demo, remove } = useDemo();
  const [isAsking, setIsAsking] = useState(false);
  useEffect(() => {
    if (demo) {
      window.localStorage.setItem(SHOWN, String(demo.phase !== 'absent'));
    }
  }, [demo]);
  if (!demo && window.localStorage.getItem(SHOWN) === 'true') {
    // Reserves room for the banner, so that the page does not move when it appears.
    return <div className="slw-DemoBanner" />;
  }
  if (!demo || demo.phase === 'absent') {
    return null;
  }
  const isWorking = demo.phase === 'loading' || demo.phase === 'removing';
  return (
    <aside
      className="slw-DemoBanner"
      data-phase={demo.phase}
      aria-label={t('demo.label')}
    >
      <RiFlaskLine size={16} aria-hidden />
      <strong>{t('demo.label')}</strong>
      <span className="slw-DemoBannerText" role="status">
        {t(`demo.${demo.phase}`, {
          ...countsOf(demo),
          error: demo.error ?? '',
        })}
      </span>
      {demo.mayManage && !isWorking && (
        <Button
          size="small"
          variant="tertiary"
          onPress={() => setIsAsking(true)}
        >
          {t('demo.remove')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('demo.removeTitle')}
        confirmLabel={t('demo.removeConfirm')}
        onConfirm={remove}
        describeError={errorWords}
      >
        {t('demo.removeText')}
      </ConfirmDialog>
    </aside>
  );
}

function countsOf({ steps }: Demo) {
  return {
    done: String(steps.filter(({ status }) => status === 'done').length),
    total: String(steps.length),
  };
}
