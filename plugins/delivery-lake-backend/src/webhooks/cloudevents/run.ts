import { ignoring, MappedDelivery, meaning } from '../MappedDelivery';
import { CdEvent } from './cdEvent';
import { deploymentOf } from './service';

/** CDEvents 0.3 knows `failure` and `error`; later `fail` and `cancel` came about in senders. */
const STATUSES = {
  failure: 'FAILURE',
  fail: 'FAILURE',
  error: 'FAILURE',
  cancel: 'CANCELLED',
} as const;

function statusOf(
  outcome: string | undefined,
): 'FAILURE' | 'CANCELLED' | undefined {
  return Object.entries(STATUSES).find(([word]) => word === outcome)?.[1];
}

/**
 * `pipelinerun.finished` and `taskrun.finished`: CDEvents has no event for a
 * deployment that failed, so a run that did not succeed and whose customData names
 * `service` and `environment` is one. One that succeeded is told of by its
 * service event.
 */
export function mapRun(event: CdEvent): MappedDelivery {
  const { outcome } = event.subject.content;
  const status = statusOf(outcome);
  if (!status) {
    return ignoring(
      `A run with the outcome ${
        outcome ?? 'none'
      }; a deployment that succeeded is told of by service.deployed`,
    );
  }
  const { service, environment, deploymentId } = event.customData;
  if (!service || !environment) {
    return ignoring(
      'A run is a deployment only where customData names service and environment',
    );
  }
  return meaning(
    deploymentOf({
      event,
      service,
      environment,
      status,
      externalId: deploymentId ?? event.subject.id,
    }),
  );
}
