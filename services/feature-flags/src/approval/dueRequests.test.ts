import type { Transaction } from '@slipway/service-kit';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import type { ChangeRequest } from '../model/ChangeRequest.ts';
import type { ChangeRequestStore } from '../storage/ChangeRequestStore.ts';
import { ChangeRequests } from './ChangeRequests.ts';

const due: ChangeRequest = {
  id: 1,
  flag: 'checkout',
  environment: 'production',
  change: {
    kind: 'state',
    from: { enabled: false, strategies: [], variants: [] },
    to: { enabled: true, strategies: [], variants: [] },
  },
  state: 'Scheduled',
  createdBy: 'user:default/ada',
  authors: ['user:default/ada'],
  reviews: [{ by: 'user:default/grace', at: 1, verdict: 'approved' }],
  createdAt: 0,
  updatedAt: 1,
  scheduledAt: 10,
  endedBy: null,
};

const schedule = { by: 'user:default/ada', principals: [], isPerson: false };

/** Returns change requests, of which one is due and is changed by someone else while it is applied. */
function whileChanging(change: Partial<ChangeRequest>) {
  let current = due;
  const find = async () => current;
  const requests = new ChangeRequests({
    requests: {
      find,
      within: () => ({
        find,
        update: async (request: ChangeRequest) => {
          current = request;
          return request;
        },
      }),
    } as unknown as ChangeRequestStore,
    flags: {
      edit: async (_name, { alsoWrite }) => {
        current = { ...current, ...change };
        await alsoWrite?.({} as Transaction);
        return {} as never;
      },
    } as Partial<FlagAdmin> as FlagAdmin,
    environmentNamed: async name => ({
      name,
      type: 'production',
      sortOrder: 1,
      enabled: true,
      protected: true,
      requiredApprovals: 1,
    }),
    startSchedule: async () => undefined,
    now: () => 11,
    onChanged: async () => {},
  });
  return requests.apply(1, schedule, { dueBy: 11 });
}

describe('a scheduled change request that is due', () => {
  it('is applied', async () => {
    expect(await whileChanging({})).toMatchObject({ state: 'Applied' });
  });

  it.each([
    { scheduledAt: 1_000 },
    { state: 'Cancelled', scheduledAt: null },
  ] as const)(
    'is not applied if someone changes it in the meantime: %o',
    async change => {
      await expect(whileChanging(change)).rejects.toThrow('no longer due');
    },
  );
});
