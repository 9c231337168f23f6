import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ActionButtons } from '@slipway/app-react';
import type { Feedback } from '../api/Feedback';
import { useLinks } from '../routes';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';

/** Offers the next steps for feedback: its issue, a workspace for its component, a reply. */
export function FeedbackActions({ feedback }: { feedback: Feedback }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  const { id, message, component, status } = feedback;
  return (
    <ActionButtons
      // The next steps depend on the status.
      key={status}
      className={styles.actions}
      label={t('detail.actions')}
      subjects={[
        {
          kind: 'feedback',
          title: message,
          page: links.triage(id),
          entityRef: component === null ? undefined : refOf(component),
        },
      ]}
    />
  );
}

/** Returns the entity reference of a component, for which senders may give only its name. */
function refOf(component: string): string {
  return component.includes(':')
    ? component
    : `component:default/${component.toLocaleLowerCase('en')}`;
}
