import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { catalogEntityCreatePermission } from '@backstage/plugin-catalog-common/alpha';
import { usePermission } from '@backstage/plugin-permission-react';
import { AppQueries } from '@slipway/app-react';
import {
  EmptyState,
  LoadingBlock,
  Page,
  PageHeader,
} from '@slipway/design-system';
import { AddressStep } from './AddressStep';
import { DoneStep } from './DoneStep';
import type { ImportState } from './importFlow';
import { RequestStep } from './RequestStep';
import { ReviewStep } from './ReviewStep';
import { importPageTranslationRef } from './translation';
import styles from './ImportPage.module.css';

/** Registers descriptors: finds them at a URL, shows their entities, and adds them. */
export function ImportPage() {
  const { t } = useTranslationRef(importPageTranslationRef);
  const { allowed, loading } = usePermission({
    permission: catalogEntityCreatePermission,
  });
  let content: ReactNode;
  if (loading) {
    content = <LoadingBlock label={t('title')} height={160} />;
  } else if (allowed) {
    content = (
      <AppQueries>
        <ImportSteps />
      </AppQueries>
    );
  } else {
    content = (
      <EmptyState title={t('deniedTitle')} description={t('deniedText')} />
    );
  }
  return (
    <Page
      header={
        <PageHeader
          title={t('title')}
          description={t('description')}
          breadcrumbs={[{ label: t('catalog'), href: '/catalog' }]}
        />
      }
    >
      {content}
    </Page>
  );
}

function ImportSteps() {
  const { t } = useTranslationRef(importPageTranslationRef);
  const [url, setUrl] = useState('');
  const [state, setState] = useState<ImportState>({ step: 'address' });
  const start = () => setState({ step: 'address' });
  const hasRequest =
    state.step === 'request' ||
    (state.step === 'review' && state.pullRequest !== undefined);
  const steps = [
    'address',
    ...(hasRequest ? ['request' as const] : []),
    'review',
    'done',
  ] as const;
  const place = steps.indexOf(state.step);
  return (
    <div className={styles.import}>
      <ol className={styles.steps} aria-label={t('stepsLabel')}>
        {steps.map((step, index) => (
          <li
            key={step}
            data-past={index < place || undefined}
            aria-current={step === state.step ? 'step' : undefined}
          >
            {t(`steps.${step}`)}
          </li>
        ))}
      </ol>
      <Step key={state.step}>
        {state.step === 'address' && (
          <AddressStep url={url} onUrl={setUrl} onFound={setState} />
        )}
        {state.step === 'request' && (
          <RequestStep
            repository={state.repository}
            onBack={start}
            onOpened={setState}
          />
        )}
        {state.step === 'review' && (
          <ReviewStep {...state} onBack={start} onDone={setState} />
        )}
        {state.step === 'done' && (
          <DoneStep
            {...state}
            onAgain={() => {
              setUrl('');
              start();
            }}
          />
        )}
      </Step>
    </div>
  );
}

/** Takes the focus, since the focused button of the previous step is gone. */
function Step({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) {
      ref.current?.focus();
    }
  }, []);
  return (
    <div ref={ref} tabIndex={-1} className={styles.step}>
      {children}
    </div>
  );
}
