/** Annotation of a component: the devfile its workspaces start from, an https URL or a path relative to the source location. */
export const DEVFILE_ANNOTATION = 'slipway.dev/devfile';
