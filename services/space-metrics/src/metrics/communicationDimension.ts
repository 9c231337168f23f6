import type { Measure } from '../records/Contribution.ts';
import { type Dimension, type Field, type Reading } from './Dimension.ts';
import type { Numbers, Totals } from './Numbers.ts';

const COLLABORATION: readonly Measure[] = [
  'communication.pr_comments',
  'communication.docs_updates',
];
const CHAT: readonly Measure[] = ['communication.chat_messages'];

const MORE = { better: 'higher', scale: 'ratio', isTotal: true } as const;

const FIELDS: readonly Field[] = [
  { name: 'chat_messages', sample: 'chat_messages', ...MORE },
  { name: 'pr_comments', sample: 'pr_comments', ...MORE },
  { name: 'docs_updates', sample: 'docs_updates', ...MORE },
];

/** Describes communication in chats (only counts), reviews and documentation. */
export function communicationDimension(numbers: Numbers): Dimension {
  return {
    name: 'communication',
    fields: FIELDS,
    async read({ team }, periods) {
      const [collaboration, chat] = await Promise.all([
        numbers.read('collaboration', {
          team,
          periods,
          measures: COLLABORATION,
        }),
        numbers.read('chat', { team, periods, measures: CHAT }),
      ]);
      return periods.map((_, index) =>
        describe(collaboration[index].totals, chat[index].totals),
      );
    },
  };
}

function describe(
  collaboration: Totals | undefined,
  chat: Totals | undefined,
): Reading {
  const values = {
    chat_messages: valueOf(chat, 'communication.chat_messages'),
    pr_comments: valueOf(collaboration, 'communication.pr_comments'),
    docs_updates: valueOf(collaboration, 'communication.docs_updates'),
  };
  return {
    values,
    samples: {
      chat_messages: values.chat_messages ?? 0,
      pr_comments: values.pr_comments ?? 0,
      docs_updates: values.docs_updates ?? 0,
    },
    suppressed: !collaboration || !chat,
  };
}

function valueOf(totals: Totals | undefined, measure: Measure): number | null {
  return totals ? (totals[measure] ?? 0) : null;
}
