import {
  BackendFeature,
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import { mockServices, startTestBackend } from '@backstage/backend-test-utils';
import catalogPlugin from '@backstage/plugin-catalog-backend';
import {
  boundedUrlReaderFactory,
  contractHttpRouterFactory,
} from '@slipway/portal-kit';
import request from 'supertest';
import { catalogModuleContract } from '../module';
import { FakeUrlReader } from './FakeUrlReader';

/** Host of the descriptors in tests. */
export const GIT = 'https://git.example.org';

/** A component, as YAML; `name: undefined` leaves the name out. */
export function component(name: string | undefined): string {
  return [
    'apiVersion: backstage.io/v1alpha1',
    'kind: Component',
    'metadata:',
    '  description: A service',
    ...(name === undefined ? [] : [`  name: ${name}`]),
    'spec: {type: service, lifecycle: production, owner: payments}',
    '',
  ].join('\n');
}

/** Starts the real catalog with this module, which reads the given descriptors. */
export async function startCatalog(options: {
  descriptors?: Record<string, string>;
  config?: object;
  /** Reads from this host, `name:port`, in place of the descriptors. */
  host?: string;
  authorize?: Parameters<typeof mockServices.permissions.factory>[0];
  /** False to leave registered locations unprocessed. Default: true. */
  processing?: boolean;
  /** Handler between the module and the catalog's own routes. */
  between?: BackendFeature;
}) {
  const reader = new FakeUrlReader(options.descriptors ?? {});
  const { server } = await startTestBackend({
    features: [
      catalogPlugin,
      catalogModuleContract,
      ...(options.between ? [options.between] : []),
      contractHttpRouterFactory,
      mockServices.rootConfig.factory({
        data: {
          backend: {
            baseUrl: 'http://localhost:7007',
            reading: { allow: options.host ? [{ host: options.host }] : [] },
          },
          catalog: {
            processingInterval:
              (options.processing ?? true) ? { seconds: 1 } : false,
          },
          slipway: { catalog: options.config },
        },
      }),
      mockServices.permissions.factory(options.authorize),
      options.host
        ? boundedUrlReaderFactory
        : createServiceFactory({
            service: coreServices.urlReader,
            deps: {},
            factory: () => reader,
          }),
    ],
  });
  const api = request(server);
  return {
    api,
    reader,
    register: (body: string | object, query = '') =>
      api.post(`/api/catalog/locations${query}`).type('json').send(body),
  };
}
