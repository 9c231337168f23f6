import type { ObjectStore, StoredObject } from './ObjectStore.ts';

/** A response of the API server: a status, and a body that is sent as JSON. */
export interface Answer {
  code: number;
  body: unknown;
}

/** The path of a request, parsed; `name` is empty for a list. */
export interface Target {
  plural: string;
  namespace: string;
  name: string;
}

/** A request for stored objects, except for a watch. */
interface ObjectRequest {
  method: string;
  target: Target;
  body?: Record<string, unknown>;
  contentType?: string;
  /** Comma-separated `key=value`; null for all objects. */
  labelSelector: string | null;
}

/** The objects of a cluster, and how it treats changes to them. */
interface Cluster {
  store: ObjectStore;
  /** If true, deleted objects remain and are only marked as deleted. */
  finalizers: boolean;
  /** Returns the validation errors of an object. */
  findFaults(plural: string, object: unknown): string[];
}

/** Lists, creates, reads, changes or deletes objects, as an API server does. */
export function answerRequest(
  cluster: Cluster,
  request: ObjectRequest,
): Answer {
  const { method, target, body } = request;
  if (method === 'GET' && !target.name) {
    return list(cluster.store, request);
  }
  if (method === 'POST') {
    return create(cluster, target, body as unknown as StoredObject);
  }
  const object = cluster.store.get(
    target.plural,
    target.namespace,
    target.name,
  );
  if (!object) {
    return notFound(target.plural, target.name);
  }
  switch (method) {
    case 'PUT':
      return replace(cluster, target, {
        object,
        wanted: body as unknown as StoredObject,
      });
    case 'PATCH':
      return patch(cluster, target, { object, request });
    case 'DELETE':
      return remove(cluster, target, { object, body });
    default:
      return { code: 200, body: object };
  }
}

function list(
  store: ObjectStore,
  { target: { namespace, plural }, labelSelector }: ObjectRequest,
): Answer {
  const items = store
    .list(plural)
    .filter(
      object =>
        (!namespace || object.metadata.namespace === namespace) &&
        matches(object, labelSelector),
    );
  return {
    code: 200,
    body: {
      kind: 'List',
      metadata: { resourceVersion: `${store.version}` },
      items,
    },
  };
}

function create(
  { store, findFaults }: Cluster,
  { namespace, plural }: Target,
  object: StoredObject,
): Answer {
  if (
    namespace &&
    plural !== 'namespaces' &&
    !store.get('namespaces', '', namespace)
  ) {
    return notFound('namespaces', namespace);
  }
  const faults = findFaults(plural, object);
  if (faults.length > 0) {
    return invalid(faults);
  }
  const { name } = object.metadata;
  return store.get(plural, namespace, name)
    ? failure({
        code: 409,
        reason: 'AlreadyExists',
        message: `${plural} "${name}" already exists`,
      })
    : { code: 201, body: store.add(plural, object) };
}

function replace(
  { store, findFaults }: Cluster,
  { name, plural }: Target,
  { object, wanted }: { object: StoredObject; wanted: StoredObject },
): Answer {
  if (wanted.metadata.resourceVersion !== object.metadata.resourceVersion) {
    return conflict(plural, name);
  }
  const faults = findFaults(plural, wanted);
  return faults.length > 0
    ? invalid(faults)
    : {
        code: 200,
        body: store.change(plural, {
          ...wanted,
          status: object.status,
          metadata: { ...wanted.metadata, uid: object.metadata.uid },
        }),
      };
}

/** Merges the `spec` of the request into that of the object. */
function patch(
  { store, findFaults }: Cluster,
  { plural }: Target,
  { object, request }: { object: StoredObject; request: ObjectRequest },
): Answer {
  const { body, contentType } = request;
  if (contentType !== 'application/merge-patch+json') {
    return failure({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: `${contentType}`,
    });
  }
  const patched = {
    ...object,
    spec: { ...object.spec, ...(body?.spec as object) },
  };
  const faults = findFaults(plural, { ...patched, status: undefined });
  return faults.length > 0
    ? invalid(faults)
    : { code: 200, body: store.change(plural, patched) };
}

function remove(
  { store, finalizers }: Cluster,
  { name, plural }: Target,
  { object, body }: { object: StoredObject; body?: Record<string, unknown> },
): Answer {
  const { uid } = (body?.preconditions ?? {}) as { uid?: string };
  if (uid && uid !== object.metadata.uid) {
    return conflict(plural, name);
  }
  if (finalizers) {
    store.change(plural, {
      ...object,
      metadata: {
        ...object.metadata,
        deletionTimestamp: new Date().toISOString(),
      },
    });
  } else {
    store.remove(plural, object);
  }
  return { code: 200, body: { kind: 'Status', status: 'Success' } };
}

/** Checks whether an object has all labels of a selector. */
export function matches(
  object: StoredObject,
  labelSelector: string | null,
): boolean {
  return (labelSelector ? labelSelector.split(',') : []).every(term => {
    const [key, value] = term.split('=');
    return object.metadata.labels?.[key] === value;
  });
}

/** Returns the response with which an API server reports an error. */
export function failure(fault: {
  code: number;
  reason: string;
  message: string;
  details?: object;
}): Answer {
  return {
    code: fault.code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', ...fault },
  };
}

function invalid(faults: readonly string[]): Answer {
  return failure({ code: 422, reason: 'Invalid', message: faults.join('; ') });
}

function notFound(kind: string, name: string): Answer {
  return failure({
    code: 404,
    reason: 'NotFound',
    message: `${kind} "${name}" not found`,
    details: { name, kind },
  });
}

function conflict(plural: string, name: string): Answer {
  return failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${plural} "${name}": the object has been modified`,
  });
}
