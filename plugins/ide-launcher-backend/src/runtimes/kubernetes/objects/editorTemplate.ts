import {
  DevWorkspace,
  DEVWORKSPACE_API_VERSION,
  DevWorkspaceTemplate,
  managedLabels,
  TemplateSpec,
  WORKSPACE_ID_LABEL,
} from './types';

/** Port on which che-code listens. */
const CHE_CODE_PORT = 3100;

/**
 * Returns the name of a workspace's editor template.
 *
 * @param id - The workspace's id: unlike its name, it leaves room for a suffix in the 63
 * characters of an object name.
 */
export function editorTemplateName(id: string): string {
  return `${id}-editor`;
}

/** Builds the editor template of one workspace, which owns it, so that the cluster removes both together. */
export function renderEditorTemplate(
  workspace: DevWorkspace,
  options: { editor: TemplateSpec; instance: string },
): DevWorkspaceTemplate {
  const { name, namespace, uid = '', labels } = workspace.metadata;
  const id = labels?.[WORKSPACE_ID_LABEL] ?? '';
  return {
    apiVersion: DEVWORKSPACE_API_VERSION,
    kind: 'DevWorkspaceTemplate',
    metadata: {
      name: editorTemplateName(id),
      namespace,
      labels: {
        ...managedLabels(options.instance),
        [WORKSPACE_ID_LABEL]: id,
      },
      ownerReferences: [
        {
          apiVersion: DEVWORKSPACE_API_VERSION,
          kind: 'DevWorkspace',
          name,
          uid,
        },
      ],
    },
    spec: options.editor,
  };
}

/**
 * Builds the template of VS Code (che-code): an init container copies the editor into a volume,
 * and the first container of the devfile runs it from there, so that its terminals are in the
 * container with the tools.
 *
 * @param image - Image of che-code.
 */
export function cheCodeEditor(image: string): TemplateSpec {
  const volumeMounts = [{ name: 'slipway-editor', path: '/checode' }];
  return {
    commands: [
      {
        id: 'slipway-editor-copy',
        apply: { component: 'slipway-editor-copy' },
      },
      {
        id: 'slipway-editor-run',
        exec: {
          component: 'slipway-editor-run',
          commandLine:
            'nohup /checode/entrypoint-volume.sh > /checode/entrypoint-logs.txt 2>&1 &',
        },
      },
    ],
    events: {
      preStart: ['slipway-editor-copy'],
      postStart: ['slipway-editor-run'],
    },
    components: [
      {
        name: 'slipway-editor-copy',
        container: {
          image,
          command: ['/entrypoint-init-container.sh'],
          volumeMounts,
          memoryLimit: '256Mi',
          cpuLimit: '500m',
        },
      },
      {
        name: 'slipway-editor-run',
        // The operator merges this into the devfile's container.
        attributes: { 'controller.devfile.io/container-contribution': true },
        container: {
          image,
          // The portal's gateway connects over the network, not from inside the pod.
          env: [{ name: 'CODE_HOST', value: '0.0.0.0' }],
          volumeMounts,
          memoryLimit: '1024Mi',
          memoryRequest: '256Mi',
          cpuLimit: '500m',
          cpuRequest: '30m',
          endpoints: [
            {
              name: 'slipway-editor',
              targetPort: CHE_CODE_PORT,
              exposure: 'public',
              protocol: 'http',
              attributes: { type: 'main', urlRewriteSupported: true },
            },
          ],
        },
      },
      { name: 'slipway-editor', volume: { ephemeral: true } },
    ],
  };
}
