import type { Caller, ServiceApp } from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import type { Build } from '../builds/Build.ts';
import type { BuildLookup } from '../jenkins/BuildLookup.ts';
import { presentParameter } from '../jenkins/presentJob.ts';
import { BuildParams } from '../jenkins/schemas.ts';
import { type Addresses, baseUrlOf, buildUrl } from '../jenkins/urls.ts';
import type { Gate } from '../storage/GateStore.ts';
import { type Approvals, isOver } from './Approvals.ts';
import { ApprovalsAnswer, DecisionBody, WaitingAnswer } from './schemas.ts';

/** Registers the routes to list and decide approvals. */
export function approvalRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    lookup: BuildLookup;
    approvals: Approvals;
    addresses: Addresses;
  },
): void {
  const { permissions, lookup, approvals, addresses } = options;
  const config = { access: permissions.read };

  const present = async (
    gate: Gate,
    { build, caller }: { build: Build; caller: Caller },
  ) => {
    const { step, approval, openedAt, decision } = gate;
    const state = decision?.isApproved ? 'approved' : 'rejected';
    return {
      step,
      message: approval.message ?? step,
      state: decision ? state : 'waiting',
      openedAt,
      by: approval.by ?? null,
      inputs: (approval.inputs ?? []).map(presentParameter),
      expired: !decision && isOver(build, step),
      decidable:
        !decision &&
        !isOver(build, step) &&
        (await approvals.mayDecide(caller, { gate, build })),
      decidedBy: decision?.by ?? null,
      decidedAt: decision?.at ?? null,
      comment: decision?.comment ?? null,
      values: decision?.values ?? {},
    };
  };

  app.get(
    '/approvals',
    {
      config,
      schema: {
        tags: ['approvals'],
        summary:
          'List the decisions that running builds wait for and the caller may make',
        response: { 200: WaitingAnswer },
      },
    },
    async request => {
      const { caller } = request;
      const base = baseUrlOf(request, addresses);
      const found = await approvals.listFor(caller);
      return {
        approvals: await Promise.all(
          found.map(async ({ gate, build }) => ({
            ...(await present(gate, { build, caller })),
            job: build.job,
            number: build.number,
            url: buildUrl(base, build),
          })),
        ),
      };
    },
  );

  app.get(
    '/job/:job/:build/approvals',
    {
      config,
      schema: {
        tags: ['approvals'],
        summary: 'List what a build waits for or waited for',
        params: BuildParams,
        response: { 200: ApprovalsAnswer },
      },
    },
    async ({ params, caller }) => {
      const build = await lookup.build(params);
      const gates = await approvals.list(build);
      return {
        approvals: await Promise.all(
          gates.map(gate => present(gate, { build, caller })),
        ),
      };
    },
  );

  app.post(
    '/job/:job/:build/approvals',
    {
      config: { ...config, faults: ['forbidden', 'conflict'] },
      schema: {
        tags: ['approvals'],
        summary: 'Approve or reject what a build waits for',
        params: BuildParams,
        body: DecisionBody,
        response: { 204: { description: 'Decided.' } },
      },
    },
    async ({ params, body, caller }, reply) => {
      const build = await lookup.build(params);
      const { step, decision, comment, inputs = {} } = body;
      const isApproved = decision === 'approve';
      const verdict = { step, isApproved, comment, inputs };
      await approvals.decide(build, verdict, caller);
      return reply.code(204).send();
    },
  );
}
