// Exported by a pattern, because Backstage's builds would inline an explicitly exported file.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import '@slipway/design-system/styles.css';
import { createDevApp } from '@backstage/frontend-dev-utils';
import {
  ApiBlueprint,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import {
  FakeFeedbackApi,
  feedback,
  reply,
} from '../src/__testUtils__/FakeFeedbackApi';
import { feedbackApiRef } from '../src/api/FeedbackApi';
import plugin from '../src/plugin';

const recorded = [
  feedback({
    replyCount: 2,
    awaitsReply: true,
    votes: 3,
    voting: { title: 'Builds that do not hang', isOpen: true },
    replies: [
      reply(),
      reply({
        id: 'rp_2',
        message: 'Since version 2',
        authorName: 'Grace',
        isFromSender: true,
        mayDelete: false,
      }),
    ],
  }),
  feedback({
    id: 'fb_2',
    rating: 5,
    category: 'UI/UX',
    message: 'The new navigation is great',
    sentiment: 'positive',
    status: 'resolved',
    priority: 'low',
  }),
];

const recordedData = createFrontendModule({
  pluginId: 'feedback',
  extensions: [
    ApiBlueprint.make({
      name: 'client',
      params: define =>
        define({
          api: feedbackApiRef,
          deps: {},
          factory: () => new FakeFeedbackApi(recorded),
        }),
    }),
  ],
});

createDevApp({ features: [plugin, recordedData] });
