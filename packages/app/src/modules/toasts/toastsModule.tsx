import {
  ApiBlueprint,
  AppRootElementBlueprint,
  createFrontendModule,
  toastApiRef,
} from '@backstage/frontend-plugin-api';
import { ToastRegion } from './ToastRegion';
import { Toasts } from './Toasts';

const toasts = new Toasts();

// The names replace Backstage's own, whose animations alone add 50 kB.
const api = ApiBlueprint.make({
  name: 'toast',
  params: define =>
    define({ api: toastApiRef, deps: {}, factory: () => toasts }),
});

const region = AppRootElementBlueprint.make({
  name: 'alert-display',
  params: { element: <ToastRegion toasts={toasts} /> },
});

/** Messages about completed actions, with undo, and about errors. */
export const toastsModule = createFrontendModule({
  pluginId: 'app',
  extensions: [api, region],
});
