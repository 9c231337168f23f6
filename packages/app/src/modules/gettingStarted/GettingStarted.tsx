import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, ButtonLink, VisuallyHidden } from '@backstage/ui';
import {
  RiCheckboxBlankCircleLine,
  RiCheckboxCircleFill,
} from '@remixicon/react';
import { Panel, Skeletons } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { DemoOffer } from '../demo/DemoOffer';
import { useDemo } from '../demo/DemoApi';
import type { StepId } from '../home/InboxApi';
import { type ChecklistStep, useChecklist, useDismissed } from './useChecklist';
import './GettingStarted.css';

/** The page on which each step is done. */
const PAGES: Readonly<Record<StepId, string>> = {
  connect: '/delivery/connections',
  workspace: '/workspaces',
  build: '/builds',
  deployment: '/delivery/deployments',
  flag: '/flags',
  team: '/catalog?kind=user',
};

/** Introduces the product, with the first steps and their progress, and the demo organisation. */
export function GettingStarted(): JSX.Element {
  const { t } = useTranslationRef(appTranslationRef);
  const { demo } = useDemo();
  const { isDismissed, dismiss } = useDismissed();
  const role = demo && (demo.mayManage ? 'admin' : 'member');
  const steps = useChecklist(isDismissed === false ? role : undefined);
  if (isDismissed === undefined) {
    return <Skeletons label={t('start.title')}>{null}</Skeletons>;
  }
  if (isDismissed || steps.length === 0) {
    return <></>;
  }
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Panel
      title={t('start.title')}
      action={
        <Button size="small" variant="tertiary" onPress={dismiss}>
          {t('start.dismiss')}
        </Button>
      }
    >
      <p className="slw-StartText">{t('product.sentence')}</p>
      <p className="slw-StartCount">
        {t('start.count', {
          done: String(done),
          total: String(steps.length),
        })}
      </p>
      <ol className="slw-StartSteps">
        {steps.map(step => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
      <DemoOffer />
    </Panel>
  );
}

function Step({ step: { id, isDone } }: { step: ChecklistStep }) {
  const { t } = useTranslationRef(appTranslationRef);
  const Icon = isDone ? RiCheckboxCircleFill : RiCheckboxBlankCircleLine;
  return (
    <li className="slw-StartStep" data-done={isDone === true}>
      <Icon size={20} aria-hidden />
      <span className="slw-StartStepText">
        <strong>{t(`start.steps.${id}.title`)}</strong>
        {isDone && <VisuallyHidden>{t('start.done')}</VisuallyHidden>}
        <span>{t(`start.steps.${id}.text`)}</span>
      </span>
      {!isDone && (
        <ButtonLink size="small" variant="secondary" href={PAGES[id]}>
          {t(`start.steps.${id}.action`)}
        </ButtonLink>
      )}
    </li>
  );
}
