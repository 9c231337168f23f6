import {
  createFrontendPlugin,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { EntityContentBlueprint } from '@backstage/plugin-catalog-react/alpha';
import { RiHammerLine } from '@remixicon/react';
import {
  clientOfService,
  detailPage,
  EntityPartBlueprint,
  PaletteSourceBlueprint,
  pageWithTabs,
  wrapperOfPages,
} from '@slipway/app-react';
import { buildsApiRef } from './api/BuildsApi';
import { BuildsClient } from './api/BuildsClient';
import { buildRouteRef, jobRouteRef, rootRouteRef } from './routes';

const client = clientOfService(buildsApiRef, deps => new BuildsClient(deps));

const pages = wrapperOfPages(() =>
  import(/* webpackMode: "eager" */ './queries').then(m => m.servicePages),
);

const page = pageWithTabs({
  path: '/builds',
  title: 'Builds',
  icon: <RiHammerLine />,
  routeRef: rootRouteRef,
  frame: () => import('./pages/JobsPage').then(m => m.BuildsFrame),
});

const jobs = SubPageBlueprint.make({
  name: 'jobs',
  params: {
    path: '',
    title: 'Jobs',
    loader: () => import('./pages/JobsPage').then(m => <m.JobsPage />),
  },
});

const agents = SubPageBlueprint.make({
  name: 'agents',
  params: {
    // Job names cannot be `-`.
    path: '-/agents',
    title: 'Agents',
    loader: () => import('./pages/AgentsPage').then(m => <m.AgentsPage />),
  },
});

const secrets = SubPageBlueprint.make({
  name: 'secrets',
  params: {
    path: '-/secrets',
    title: 'Secrets',
    loader: () => import('./pages/SecretsPage').then(m => <m.SecretsPage />),
  },
});

const usage = SubPageBlueprint.make({
  name: 'usage',
  params: {
    path: '-/usage',
    title: 'Usage',
    loader: () => import('./pages/UsagePage').then(m => <m.UsagePage />),
  },
});

const job = SubPageBlueprint.make({
  name: 'job',
  attachTo: detailPage,
  params: {
    path: ':job',
    title: 'Job',
    routeRef: jobRouteRef,
    loader: () => import('./pages/JobPage').then(m => <m.JobPage />),
  },
});

const build = SubPageBlueprint.make({
  name: 'build',
  attachTo: detailPage,
  params: {
    path: ':job/:number',
    title: 'Build',
    routeRef: buildRouteRef,
    loader: () => import('./pages/BuildPage').then(m => <m.BuildPage />),
  },
});

const entityContent = EntityContentBlueprint.make({
  name: 'builds',
  params: {
    path: '/builds',
    title: 'Builds',
    filter: {
      $any: [
        {
          kind: 'component',
          'metadata.annotations.slipway.dev/build-job': { $exists: true },
        },
        { kind: { $in: ['system', 'group'] } },
      ],
    },
    loader: () => import('./entity/EntityBuilds').then(m => <m.EntityBuilds />),
  },
});

const entityPart = EntityPartBlueprint.make({
  params: {
    title: 'Builds',
    icon: RiHammerLine,
    path: '/build-server/api/v1',
    order: 20,
    kinds: ['build', 'commit'],
  },
});

const palette = PaletteSourceBlueprint.make({
  params: {
    title: 'Builds',
    icon: <RiHammerLine />,
    order: 50,
    loader: () => import('./palette').then(m => m.buildsPalette),
    dialogs: {
      run: () => import('./run/RunDialog').then(m => m.RunNamedJob),
    },
  },
});

/** Frontend plugin with the pages of the build server, and a tab for components, systems and groups. */
export default createFrontendPlugin({
  pluginId: 'builds',
  title: 'Builds',
  icon: <RiHammerLine />,
  routes: { root: rootRouteRef, job: jobRouteRef, build: buildRouteRef },
  extensions: [
    client,
    pages,
    page,
    jobs,
    agents,
    secrets,
    usage,
    job,
    build,
    entityContent,
    entityPart,
    palette,
  ],
});
