import { mockApis } from '@backstage/frontend-test-utils';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import { signalApiRef } from '@backstage/plugin-signals-react';
import { renderPages } from '@slipway/test-pages';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import plugin from '../plugin';
import type { FakeIdeLauncherApi } from './FakeIdeLauncherApi';
import { FakeSignalApi } from './FakeSignalApi';

/** Renders an app with only this plugin at an address, with a fake backend. */
export function renderPlugin(options: {
  api: FakeIdeLauncherApi;
  path: string;
  /** Permissions that the user has; all of them by default. */
  permissions?: Parameters<typeof mockApis.permission>[0];
}) {
  const signals = new FakeSignalApi();
  const rendered = renderPages({
    features: [plugin],
    path: options.path,
    apis: [
      [ideLauncherApiRef, options.api],
      [signalApiRef, signals],
      [permissionApiRef, mockApis.permission(options.permissions)],
    ],
  });
  return { signals, ...rendered };
}
