import {
  ApiBlueprint,
  AppRootElementBlueprint,
  PageBlueprint,
  PluginWrapperBlueprint,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import { RiFeedbackLine } from '@remixicon/react';
import { CommandBlueprint } from '@slipway/app-react';
import { feedbackApiRef } from './api/FeedbackApi';
import { FeedbackClient } from './api/FeedbackClient';
import {
  issueRouteRef,
  mineRouteRef,
  rootRouteRef,
  statisticsRouteRef,
  triageItemRouteRef,
  triageRouteRef,
} from './routes';
import { FeedbackButton } from './widget/FeedbackButton';

const clientApi = ApiBlueprint.make({
  name: 'client',
  params: define =>
    define({
      api: feedbackApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps => new FeedbackClient(deps),
    }),
});

const pages = PluginWrapperBlueprint.make({
  params: define =>
    define({
      loader: () => import('./servicePages').then(m => m.servicePages),
    }),
});

const page = PageBlueprint.make({
  params: {
    path: '/feedback',
    title: 'Feedback',
    icon: <RiFeedbackLine />,
    routeRef: rootRouteRef,
    noHeader: true,
    loader: () =>
      import('./pages/FeedbackRoutes').then(m => <m.FeedbackRoutes />),
  },
});

const button = AppRootElementBlueprint.make({
  name: 'button',
  params: { element: <FeedbackButton /> },
});

const sendFeedback = CommandBlueprint.make({
  name: 'send',
  params: {
    title: 'Send feedback',
    keywords: ['bug', 'idea', 'problem', 'report', 'wish', 'rating'],
    loader: () =>
      import('./widget/SendFeedbackDialog').then(m => m.SendFeedbackDialog),
  },
});

/** Pages of feedback, the button on every page and the command. */
export default createFrontendPlugin({
  pluginId: 'feedback',
  title: 'Feedback',
  icon: <RiFeedbackLine />,
  routes: {
    root: rootRouteRef,
    mine: mineRouteRef,
    triage: triageRouteRef,
    triageItem: triageItemRouteRef,
    statistics: statisticsRouteRef,
    issue: issueRouteRef,
  },
  extensions: [clientApi, pages, page, button, sendFeedback],
});
