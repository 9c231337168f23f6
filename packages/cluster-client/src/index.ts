export {
  backoff,
  type ClusterRequestOptions,
  ClusterRequests,
  type ObjectKey,
  orUndefined,
  type Resource,
} from './ClusterRequests.ts';
export {
  type ClusterConnection,
  type ConnectedClient,
} from './connectCluster.ts';
export {
  ClusterForbiddenError,
  ClusterRefusedError,
  ClusterUnreachableError,
  isAlreadyThere,
  isConflict,
  isExpired,
  isMissing,
  UnknownTypeError,
} from './errors.ts';
