import {
  FakeApiServer as ApiServer,
  type StoredObject,
} from '@slipway/cluster-client/testing';
import { findFaults } from './objectSchemas';

export {
  API_TOKEN,
  type Fault,
  type SeenRequest,
} from '@slipway/cluster-client/testing';

const OPERATOR_PATH = '/apis/workspace.devfile.io/v1alpha2';

/**
 * A cluster's API server with the DevWorkspace Operator. Rejects every object that does
 * not match the operator's definitions.
 */
export class FakeApiServer extends ApiServer {
  operatorInstalled = true;

  /** @param tls - Key and certificate for HTTPS; plain HTTP if omitted. */
  constructor(tls?: { key: string; cert: string }) {
    super({ tls, findFaults });
  }

  protected override knows(pathname: string): boolean {
    return (
      pathname.startsWith('/apis/networking.k8s.io/v1/') ||
      (this.operatorInstalled && pathname.startsWith(OPERATOR_PATH))
    );
  }

  workspace(name: string, namespace = 'ada-workspaces') {
    return this.store.get('devworkspaces', namespace, name);
  }

  /** Changes a workspace as the operator or another client would. */
  update(
    name: string,
    change: { status?: object; spec?: object },
    namespace = 'ada-workspaces',
  ): StoredObject {
    const object = this.workspace(name, namespace);
    if (!object) {
      throw new Error(`No workspace ${namespace}/${name}`);
    }
    return this.store.change('devworkspaces', {
      ...object,
      spec: { ...object.spec, ...change.spec },
      status: { ...object.status, ...change.status },
    });
  }

  finishDeletions(): void {
    this.store
      .list('devworkspaces')
      .filter(({ metadata }) => metadata.deletionTimestamp)
      .forEach(object => this.store.remove('devworkspaces', object));
  }
}
