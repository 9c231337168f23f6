import {
  BackendFeature,
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { NotFoundError, NotImplementedError } from '@backstage/errors';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import request from 'supertest';
import { ideLauncherPlugin } from '../plugin';

export const ADA = mockCredentials.user.header('user:default/ada');
export const GRACE = mockCredentials.user.header('user:default/grace');

/** Creates a URL reader with these files by address, and no others. */
function fileReader(files: Record<string, string>) {
  return createServiceFactory({
    service: coreServices.urlReader,
    deps: {},
    factory: () => ({
      async readTree() {
        throw new NotImplementedError('Devfiles are single files');
      },
      async search() {
        throw new NotImplementedError('Devfiles are single files');
      },
      async readUrl(url: string) {
        const text = files[url];
        if (text === undefined) {
          throw new NotFoundError(`no ${url}`);
        }
        return { buffer: async () => Buffer.from(text) };
      },
    }),
  });
}

/**
 * Starts a backend with only this plugin, which reads its devfiles from `files` at
 * `forge.example.org`.
 */
export async function startPortal(options: {
  files: Record<string, string>;
  /** The `ideLauncher` section of the configuration. */
  ideLauncher: object;
  /** Other hosts that may be read, over the network. */
  hosts?: string[];
  features?: BackendFeature[];
}) {
  const backend = await startTestBackend({
    features: [
      ideLauncherPlugin,
      contractHttpRouterFactory,
      fileReader(options.files),
      mockServices.rootConfig.factory({
        data: {
          app: { baseUrl: 'http://localhost:3000' },
          // Read by the URL reader, which is a fake here.
          integrations: { gitea: [{ host: 'forge.example.org' }] },
          backend: {
            baseUrl: 'http://localhost:7007',
            reading: {
              allow: ['forge.example.org', ...(options.hosts ?? [])].map(
                host => ({ host }),
              ),
            },
          },
          ideLauncher: options.ideLauncher,
        },
      }),
      ...(options.features ?? []),
    ],
  });
  const call = (
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    authorization: string = ADA,
  ) =>
    request(backend.server)
      [method](`/api/ide-launcher${path}`)
      .set('Authorization', authorization);
  return { call, server: backend.server, stop: () => backend.stop() };
}
