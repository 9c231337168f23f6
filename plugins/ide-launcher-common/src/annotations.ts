/**
 * Annotation of a component: the devfile of its workspaces, an https URL or a path relative to
 * the source location.
 */
export const DEVFILE_ANNOTATION = 'slipway.dev/devfile';
