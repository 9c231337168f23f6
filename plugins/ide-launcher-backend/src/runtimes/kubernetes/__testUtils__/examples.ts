import {
  renderDevWorkspace,
  renderNamespace,
  renderNetworkPolicy,
} from '../objects/devWorkspace';
import { cheCodeEditor, renderEditorTemplate } from '../objects/editorTemplate';
import { FLAT_DEVFILE } from './harness';

const ID = 'workspace-01jd8x2k-7c1e-7b1a-9d53-2f6c1a0e4b77';
const UID = '8c2f6a1e-5a0b-4f57-9d1c-0f6f0b1d2e3a';

/** Returns one of each object that the runtime writes, as shown in the README. */
export function renderExamples() {
  const instance = 'slipway';
  const namespace = 'ada-workspaces';
  const owner = 'user:default/ada';
  const workspace = renderDevWorkspace(
    { id: ID, name: 'shop-x1y2', namespace, owner },
    FLAT_DEVFILE,
    {
      instance,
      routingClass: 'cluster',
      storageType: 'per-workspace',
      defaultImage: 'example.org/general:1',
    },
  );
  const created = {
    ...workspace,
    metadata: { ...workspace.metadata, uid: UID },
  };
  return [
    renderNamespace({
      ...{ name: namespace, owner, instance },
      podSecurity: 'baseline',
    }),
    renderNetworkPolicy({
      namespace,
      instance,
      reachableFrom: ['slipway', 'devworkspace-controller'],
    }),
    workspace,
    renderEditorTemplate(created, {
      instance,
      editor: cheCodeEditor('quay.io/che-incubator/che-code:latest'),
    }),
  ];
}
