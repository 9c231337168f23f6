import {
  AppRootElementBlueprint,
  createFrontendPlugin,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { EntityContentBlueprint } from '@backstage/plugin-catalog-react/alpha';
import { RiFeedbackLine } from '@remixicon/react';
import {
  clientOfService,
  detailPage,
  EntityPartBlueprint,
  PaletteSourceBlueprint,
  pageWithTabs,
  wrapperOfPages,
} from '@slipway/app-react';
import { feedbackApiRef } from './api/FeedbackApi';
import { FeedbackClient } from './api/FeedbackClient';
import {
  issueRouteRef,
  mineItemRouteRef,
  mineRouteRef,
  rootRouteRef,
  triageItemRouteRef,
  triageRouteRef,
  votingItemRouteRef,
  votingRouteRef,
} from './routes';
import { FeedbackButton } from './widget/FeedbackButton';

const client = clientOfService(
  feedbackApiRef,
  deps => new FeedbackClient(deps),
);

const pages = wrapperOfPages(() =>
  import(/* webpackMode: "eager" */ './queries').then(m => m.servicePages),
);

const page = pageWithTabs({
  path: '/feedback',
  title: 'Feedback',
  icon: <RiFeedbackLine />,
  routeRef: rootRouteRef,
  frame: () => import('./pages/FeedbackFrame').then(m => m.FeedbackFrame),
});

const mine = SubPageBlueprint.make({
  name: 'mine',
  params: {
    path: 'mine',
    title: 'My feedback',
    routeRef: mineRouteRef,
    loader: () => import('./pages/MinePage').then(m => <m.MinePage />),
  },
});

const voting = SubPageBlueprint.make({
  name: 'voting',
  params: {
    path: 'voting',
    title: 'Voting',
    routeRef: votingRouteRef,
    loader: () => import('./pages/VotingPage').then(m => <m.VotingPage />),
  },
});

const triage = SubPageBlueprint.make({
  name: 'triage',
  params: {
    path: 'triage',
    title: 'Triage',
    routeRef: triageRouteRef,
    loader: () => import('./pages/TriagePage').then(m => <m.TriagePage />),
  },
});

const statistics = SubPageBlueprint.make({
  name: 'statistics',
  params: {
    path: 'statistics',
    title: 'Statistics',
    loader: () =>
      import('./pages/StatisticsPage').then(m => <m.StatisticsPage />),
  },
});

const issue = SubPageBlueprint.make({
  name: 'issue',
  attachTo: detailPage,
  params: {
    path: 'issues/:number',
    title: 'Issue',
    routeRef: issueRouteRef,
    loader: () => import('./pages/IssuePage').then(m => <m.IssuePage />),
  },
});

const button = AppRootElementBlueprint.make({
  name: 'button',
  params: { element: <FeedbackButton /> },
});

const entityContent = EntityContentBlueprint.make({
  name: 'feedback',
  params: {
    path: '/feedback',
    title: 'Feedback',
    filter: { kind: { $in: ['component', 'system', 'group'] } },
    loader: () =>
      import('./entity/EntityFeedback').then(m => <m.EntityFeedback />),
  },
});

const entityPart = EntityPartBlueprint.make({
  params: {
    title: 'Feedback',
    icon: RiFeedbackLine,
    path: '/feedback/api/v1',
    order: 50,
    kinds: ['feedback'],
  },
});

const palette = PaletteSourceBlueprint.make({
  params: {
    title: 'Feedback',
    icon: <RiFeedbackLine />,
    order: 80,
    loader: () => import('./palette').then(m => m.feedbackPalette),
    dialogs: {
      send: () =>
        import('./widget/SendFeedbackDialog').then(m => m.SendFeedbackDialog),
    },
  },
});

/** Feedback pages, the button on every page, and search results in the command palette. */
export default createFrontendPlugin({
  pluginId: 'feedback',
  title: 'Feedback',
  icon: <RiFeedbackLine />,
  routes: {
    root: rootRouteRef,
    mine: mineRouteRef,
    mineItem: mineItemRouteRef,
    voting: votingRouteRef,
    votingItem: votingItemRouteRef,
    triage: triageRouteRef,
    triageItem: triageItemRouteRef,
    issue: issueRouteRef,
  },
  extensions: [
    client,
    pages,
    page,
    mine,
    voting,
    triage,
    statistics,
    issue,
    button,
    entityContent,
    entityPart,
    palette,
  ],
});
