/** Returns the errors in an object that the executor sent to a cluster. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what the executor sent
export function findPodFaults(plural: string, object: any): string[] {
  const faults: string[] = [];
  const check = (isFine: boolean, what: string) => {
    if (!isFine) {
      faults.push(what);
    }
  };
  const { name, labels, ownerReferences } = object.metadata;
  check(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name), 'the name');
  check(
    labels['slipway.dev/instance'] !== undefined,
    'a label of the instance',
  );
  check(/^\d+$/.test(labels['slipway.dev/build']), 'a label of the build');
  check(
    ownerReferences?.[0]?.kind === 'Job' ||
      labels['slipway.dev/role'] === 'files',
    'an owner, with which it is deleted',
  );
  if (plural === 'secrets') {
    check(object.immutable === true, 'a secret that does not change');
  }
  if (plural !== 'jobs') {
    return faults;
  }
  const { spec } = object;
  const pod = spec.template.spec;
  const { securityContext: context, containers } = pod;
  const [container] = containers;
  check(spec.backoffLimit === 0 && spec.completions === 1, 'one run');
  check(spec.podReplacementPolicy === 'Failed', 'one pod at a time');
  check(spec.activeDeadlineSeconds > 0, 'a deadline');
  check(spec.ttlSecondsAfterFinished > 0, 'an end of the Job');
  check(pod.restartPolicy === 'Never', 'no restart');
  check(pod.automountServiceAccountToken === false, 'no token');
  check(pod.enableServiceLinks === false, 'no names of services');
  check(
    !pod.hostNetwork && !pod.hostPID && !pod.hostIPC,
    'nothing of the node',
  );
  check(
    context.runAsNonRoot === true && context.runAsUser >= 1_000,
    'a user that is not root',
  );
  check(
    context.fsGroup === context.runAsUser,
    'a volume that the user may write',
  );
  check(context.seccompProfile?.type === 'RuntimeDefault', 'seccomp');
  check(containers.length === 1, 'one container');
  check(
    container.securityContext.allowPrivilegeEscalation === false,
    'no new privileges',
  );
  check(container.securityContext.privileged === false, 'no privileges');
  check(
    container.securityContext.readOnlyRootFilesystem === true,
    'a root to be read',
  );
  check(
    String(container.securityContext.capabilities.drop) === 'ALL',
    'no capabilities',
  );
  check(container.resources.limits.memory !== undefined, 'a limit of memory');
  check(container.resources.limits.cpu !== undefined, 'a limit of CPUs');
  check(
    container.resources.requests['ephemeral-storage'] !== undefined,
    'storage',
  );
  check(
    pod.volumes.every(
      (one: object) => 'persistentVolumeClaim' in one || 'emptyDir' in one,
    ),
    'no volume of the node',
  );
  check(!JSON.stringify(object).includes('s3cret'), 'no secret in a Job');
  return faults;
}
