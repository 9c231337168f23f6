import { InvalidRequestError } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import type { Constraint } from '../model/Flag.ts';
import { featureFlags } from '../service.ts';
import { SegmentStore } from '../storage/SegmentStore.ts';
import { SegmentAdmin } from './SegmentAdmin.ts';

const NOW = { by: 'user:default/ada', now: 0 };

const regex = (value: string): Constraint => ({
  contextName: 'email',
  operator: 'REGEX',
  value,
});

describe.each(testDatabaseClients())('segments on %s', client => {
  it('keep the constraints that were stored before there was a limit', async () => {
    const { database, dispose } = await openTestDatabase(client, featureFlags);
    onTestFinished(dispose);
    const segments = new SegmentStore(database);
    const { id } = await segments.transaction(NOW, trx =>
      trx.insert({
        name: 'staff',
        description: '',
        project: null,
        constraints: [regex('a{1000}b{1000}')],
      }),
    );
    const admin = new SegmentAdmin({
      segments,
      legalValues: async () => new Map(),
      protectedEnvironments: async () => [],
      now: () => 1,
      onChanged: async () => {},
    });
    const sent = {
      name: 'employees',
      constraints: [regex('a{1000}b{1000}'), regex('c')],
    };
    expect(await admin.update(id, sent, NOW)).toMatchObject(sent);
    const larger = { constraints: [regex('a{1000}b{1000}c')] };
    await expect(admin.update(id, larger, NOW)).rejects.toThrow(
      InvalidRequestError,
    );
  });
});
