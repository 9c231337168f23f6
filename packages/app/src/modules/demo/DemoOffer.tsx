import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { StepList } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { type DemoStep, useDemo } from './DemoApi';

const STATES = {
  waiting: 'pending',
  running: 'running',
  done: 'done',
  failed: 'failed',
} as const;

/** Offers the demo organisation to users who may load it, and shows its progress. */
export function DemoOffer() {
  const { t } = useTranslationRef(appTranslationRef);
  const errorWords = useErrorWords();
  const { demo, failure, load } = useDemo();
  if (!demo || demo.phase === 'loaded') {
    return null;
  }
  if (demo.phase !== 'absent') {
    return (
      <StepList
        label={t('demo.progress')}
        steps={demo.steps.map(step => ({
          id: step.id,
          title: step.title,
          state: STATES[step.status],
          ...(step.status === 'running' &&
            step.total > 0 && { progress: shareOf(step) }),
        }))}
      />
    );
  }
  if (!demo.mayManage || demo.refusal) {
    return null;
  }
  return (
    <div className="slw-DemoOffer">
      <p>{t('demo.offer')}</p>
      <details>
        <summary>{t('demo.writes')}</summary>
        <ul>
          {demo.writes.map(({ id, title, writes }) => (
            <li key={id}>
              {title}: {writes}
            </li>
          ))}
        </ul>
      </details>
      <Button variant="secondary" onPress={load}>
        {t('demo.load')}
      </Button>
      {failure && <p role="alert">{errorWords(failure)}</p>}
    </div>
  );
}

function shareOf({ done, total }: DemoStep): number {
  return Math.min(1, done / total);
}
