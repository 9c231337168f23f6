import {
  ApiBlueprint,
  PluginWrapperBlueprint,
  SubPageBlueprint,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import { EntityContentBlueprint } from '@backstage/plugin-catalog-react/alpha';
import { RiHammerLine } from '@remixicon/react';
import { detailPage, pageWithTabs } from '@slipway/app-react';
import { buildsApiRef } from './api/BuildsApi';
import { BuildsClient } from './api/BuildsClient';
import { buildRouteRef, jobRouteRef, rootRouteRef } from './routes';

const clientApi = ApiBlueprint.make({
  name: 'client',
  params: define =>
    define({
      api: buildsApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps => new BuildsClient(deps),
    }),
});

const pages = PluginWrapperBlueprint.make({
  params: define =>
    define({
      loader: () => import('./servicePages').then(m => m.servicePages),
    }),
});

const page = pageWithTabs({
  path: '/builds',
  title: 'Builds',
  icon: <RiHammerLine />,
  routeRef: rootRouteRef,
  frame: () => import('./pages/BuildsFrame').then(m => m.BuildsFrame),
});

const jobs = SubPageBlueprint.make({
  name: 'jobs',
  params: {
    path: '',
    title: 'Jobs',
    loader: () => import('./pages/Jobs/JobsPage').then(m => <m.JobsPage />),
  },
});

const job = SubPageBlueprint.make({
  name: 'job',
  attachTo: detailPage,
  params: {
    path: ':job',
    title: 'Job',
    routeRef: jobRouteRef,
    loader: () => import('./pages/Job/JobPage').then(m => <m.JobPage />),
  },
});

const build = SubPageBlueprint.make({
  name: 'build',
  attachTo: detailPage,
  params: {
    path: ':job/:number',
    title: 'Build',
    routeRef: buildRouteRef,
    loader: () => import('./pages/Build/BuildPage').then(m => <m.BuildPage />),
  },
});

const entityContent = EntityContentBlueprint.make({
  name: 'builds',
  params: {
    path: '/builds',
    title: 'Builds',
    filter: {
      kind: 'component',
      'metadata.annotations.slipway.dev/build-job': { $exists: true },
    },
    loader: () => import('./entity/EntityBuilds').then(m => <m.EntityBuilds />),
  },
});

/** Pages of the build server, and a tab of the components that it builds. */
export default createFrontendPlugin({
  pluginId: 'builds',
  title: 'Builds',
  icon: <RiHammerLine />,
  routes: { root: rootRouteRef, job: jobRouteRef, build: buildRouteRef },
  extensions: [clientApi, pages, page, jobs, job, build, entityContent],
});
