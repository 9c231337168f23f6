import { RiChatNewLine, RiCheckLine, RiTicket2Line } from '@remixicon/react';
import type {
  PaletteItem,
  PaletteSource,
  SourceContext,
} from '@slipway/app-react';
import { resolvePeriod, today } from '@slipway/design-system';
import { feedbackApiRef } from './api/FeedbackApi';
import {
  type Feedback,
  type FeedbackSummary,
  type TriageFilter,
} from './api/Feedback';
import { issueRouteRef, mineItemRouteRef, triageItemRouteRef } from './routes';
import { feedbackTranslationRef, type Translate } from './translation';

/** Returns the filter for all feedback of the last year. */
function ofTheYear(): TriageFilter {
  const { startDate, endDate } = resolvePeriod('12m', today());
  const any = { status: '', category: '', rating: '', sentiment: '', q: '' };
  return { ...any, startDate, endDate };
}

/**
 * Adds a search for feedback that the user may see, and an action that sends feedback, to the
 * palette.
 */
export function feedbackPalette(context: SourceContext): PaletteSource {
  const { api, href, texts } = context;
  return {
    async list(call) {
      const client = api(feedbackApiRef);
      const [{ mayTriage }, mine, t] = await Promise.all([
        client.getOptions(call),
        client.getMine({ page: 1 }, call),
        texts(feedbackTranslationRef),
      ]);
      const all = mayTriage
        ? await client.list(ofTheYear(), 1, call)
        : undefined;
      const itemOf = (entry: FeedbackSummary): PaletteItem[] => {
        const { id, message, category, status, userName } = entry;
        const page = href(all ? triageItemRouteRef : mineItemRouteRef, { id });
        return page
          ? [
              {
                id,
                title: message.split('\n', 1)[0].slice(0, 100),
                kind: t('page.title'),
                detail: [t(`status.${status}`), category, userName]
                  .filter(Boolean)
                  .join(' · '),
                act: { type: 'open', href: page },
              },
            ]
          : [];
      };
      return [
        {
          id: 'send',
          title: t('palette.send'),
          kind: t('palette.action'),
          keywords: [t('palette.sendKeywords')],
          icon: <RiChatNewLine />,
          act: { type: 'dialog', dialog: 'send' },
        },
        ...(all ?? mine).items.flatMap(itemOf),
      ];
    },

    async actionsFor({ kind, page }, call) {
      const id = /\/triage\/([^/?#]+)/.exec(page)?.[1];
      if (kind !== 'feedback' || id === undefined) {
        return [];
      }
      const client = api(feedbackApiRef);
      const { mayTriage } = await client.getOptions(call);
      if (!mayTriage) {
        return [];
      }
      const [entry, t] = await Promise.all([
        client.get(id, call),
        texts(feedbackTranslationRef),
      ]);
      const { status, issue } = entry;
      return [
        ...(issue === null && (status === 'new' || status === 'validated')
          ? [createIssue(entry, t)]
          : []),
        ...(status === 'in_progress' ? [resolve(entry, t)] : []),
      ];
    },
  };

  /**
   * Creates an issue. Validates new feedback first, because only validated feedback becomes an
   * issue.
   */
  function createIssue(
    { id, status, replyCount }: Feedback,
    t: Translate,
  ): PaletteItem {
    const client = api(feedbackApiRef);
    return {
      id: `issue:${id}`,
      title: t('palette.createIssue'),
      kind: t('palette.action'),
      icon: <RiTicket2Line />,
      act: {
        type: 'run',
        async run() {
          if (status === 'new') {
            await client.changeStatus(id, {
              status: 'validated',
              notes: '',
              replyCount,
            });
          }
          const { created, errors } = await client.runAutomation(id);
          const made = created.find(({ feedbackId }) => feedbackId === id);
          if (!made) {
            const error = errors.find(({ feedbackId }) => feedbackId === id);
            const message = error?.message ?? t('palette.unknownReason');
            throw new Error(t('palette.noIssue', { message }));
          }
          const number = String(made.issueNumber);
          const page = href(issueRouteRef, { number });
          return {
            title: t('palette.issueCreated', { number }),
            ...(page && {
              link: { label: t('palette.viewIssue'), href: page },
            }),
          };
        },
      },
    };
  }

  function resolve({ id, replyCount }: Feedback, t: Translate): PaletteItem {
    return {
      id: `resolve:${id}`,
      title: t('palette.resolve'),
      kind: t('palette.action'),
      icon: <RiCheckLine />,
      act: {
        type: 'run',
        // Confirmed first, because it cannot be undone: the sender may already have read it.
        confirm: {
          title: `${t('palette.resolve')}?`,
          text: t('palette.resolveText'),
          label: t('palette.resolve'),
        },
        async run() {
          await api(feedbackApiRef).changeStatus(id, {
            status: 'resolved',
            notes: '',
            replyCount,
          });
          return { title: t('palette.resolved') };
        },
      },
    };
  }
}
