import { RawDevfile } from '../../../devfile/schema/devfile';
import { WorkspaceSpec } from '../../WorkspaceRuntime';
import { KubernetesRuntimeOptions } from '../KubernetesRuntimeOptions';
import { editorTemplateName } from './editorTemplate';
import { managedLabels, OWNER_ANNOTATION, WORKSPACE_ID_LABEL } from './labels';
import { DEVWORKSPACE_API_VERSION, DevWorkspace, TemplateSpec } from './types';

/** Tells the operator where the files of a workspace are kept. */
const STORAGE_TYPE_ATTRIBUTE = 'controller.devfile.io/storage-type';

type RenderOptions = Pick<
  KubernetesRuntimeOptions,
  'defaultImage' | 'instance' | 'routingClass' | 'storageType'
>;

/**
 * The workspace as the cluster gets it. It is created stopped and started by a
 * patch, so that its editor exists before the operator looks for it.
 *
 * @param devfile - Its parent merged and its variables replaced.
 */
export function renderDevWorkspace(
  spec: Omit<WorkspaceSpec, 'devfile'>,
  devfile: RawDevfile,
  options: RenderOptions,
): DevWorkspace {
  return {
    apiVersion: DEVWORKSPACE_API_VERSION,
    kind: 'DevWorkspace',
    metadata: {
      name: spec.name,
      namespace: spec.namespace,
      labels: {
        ...managedLabels(options.instance),
        [WORKSPACE_ID_LABEL]: spec.id,
      },
      annotations: { [OWNER_ANNOTATION]: spec.owner },
    },
    spec: {
      started: false,
      routingClass: options.routingClass,
      template: renderTemplate(devfile, options),
      contributions: [
        { name: 'editor', kubernetes: { name: editorTemplateName(spec.id) } },
      ],
    },
  };
}

/** The body of the devfile: complete, so that the operator fetches no parent. */
function renderTemplate(
  devfile: RawDevfile,
  options: RenderOptions,
): TemplateSpec {
  const { schemaVersion, metadata, parent, variables, ...body } = devfile;
  const components = body.components ?? [];
  const hasContainer = components.some(({ container }) => container);
  return withoutEmpty({
    ...body,
    events: withoutEmpty(body.events ?? {}),
    attributes: {
      [STORAGE_TYPE_ATTRIBUTE]: options.storageType,
      ...body.attributes,
    },
    // The editor runs inside a container of the devfile; one without gets a general one.
    components: hasContainer
      ? components
      : [
          ...components,
          { name: 'slipway-tools', container: { image: options.defaultImage } },
        ],
  });
}

/** A merged devfile has every list, and people read these objects. */
function withoutEmpty(object: Record<string, unknown>): TemplateSpec {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) =>
        value !== undefined && Object.keys(value as object).length > 0,
    ),
  );
}
