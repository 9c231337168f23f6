import { ignoring, MappedDelivery } from '../MappedDelivery';
import { PayloadError } from '../payload/readPayload';
import { mapDeployments } from './deployments';
import { readDevlakePath } from './devlakePath';
import { mapClosedIssue, mapIssue } from './issues';

/**
 * Reads a delivery to a DevLake webhook. Connections count their own ids, so each
 * is a source of its own, `devlake:<connection>`.
 *
 * @param delivery.path - behind `/webhooks/devlake`.
 * @param delivery.receivedAt - milliseconds.
 * @throws PayloadError naming the field at fault.
 */
export function mapDevlake(delivery: {
  path: string;
  receivedAt: number;
  body: unknown;
}): MappedDelivery {
  const target = readDevlakePath(delivery.path);
  if (!target) {
    throw new PayloadError(`DevLake has no webhook ${delivery.path}`);
  }
  const source = `devlake:${target.connection}`;
  switch (target.kind) {
    case 'deployments':
      return mapDeployments({ ...delivery, source });
    case 'issues':
      return mapIssue({ ...delivery, source, target });
    case 'close':
      return mapClosedIssue({
        source,
        issueKey: target.issueKey,
        receivedAt: delivery.receivedAt,
      });
    default:
      return ignoring(
        'A pull request as DevLake is told of it does not name its repository as deployments do',
      );
  }
}
