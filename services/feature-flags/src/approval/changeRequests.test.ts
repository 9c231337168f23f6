import { testDatabaseClients } from '@slipway/service-kit/testing';
import { portalSuite } from '../__testUtils__/portalSuite.ts';
import { ADMIN_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

const IN_PRODUCTION =
  '/projects/default/features/checkout/environments/production';

const QUARTER = {
  name: 'flexibleRollout',
  parameters: { rollout: '25', stickiness: 'default', groupId: 'checkout' },
};

describe.each(testDatabaseClients())('change requests on %s', client => {
  const suite = portalSuite(client);

  const production = async () =>
    (await suite.ada('GET', IN_PRODUCTION)).body as {
      enabled: boolean;
      strategies: { parameters: object }[];
    };
  const setState = (
    by: 'ada' | 'grace' | 'bob',
    id: number,
    state: string,
    more: object = {},
  ) => suite[by]('PUT', `/change-requests/${id}/state`, { state, ...more });

  beforeEach(async () => {
    await suite.calls.create('checkout', { strategies: [] });
    await suite.ada('PUT', '/environments/production', { protected: true });
  });

  it('appears in the inboxes of those who may approve it until one has', async () => {
    const { body } = await suite.ada('POST', `${IN_PRODUCTION}/on`);
    const { id } = body.changeRequest;
    const needsOf = async (person: 'ada' | 'grace' | 'bob') => {
      const user = `user:default/${person}`;
      const summary = await suite.calls.send(
        'GET',
        `/api/v1/entities/${encodeURIComponent(user)}/summary`,
        { token: `Bearer ${await suite.portal.token(user)}` },
      );
      expect(summary.status).toBe(200);
      return summary.body.needs;
    };
    expect(await needsOf('grace')).toEqual([
      {
        key: `change-request:${id}`,
        kind: 'approval-pending',
        title: 'A change to checkout in production needs your approval',
        at: body.changeRequest.updatedAt,
        tone: 'warning',
        page: '/flags/changes',
        action: 'Review',
      },
    ]);
    expect(await needsOf('ada')).toEqual([]);
    expect(await needsOf('bob')).toEqual([]);
    await setState('grace', id, 'Approved');
    expect(await needsOf('grace')).toEqual([]);
  });

  it('replaces a change, is approved by someone else, and is applied', async () => {
    const asked = await suite.ada('POST', `${IN_PRODUCTION}/on`);
    expect(asked.status).toBe(202);
    const { id } = asked.body.changeRequest;
    expect(asked.headers.location).toBe(`/api/admin/change-requests/${id}`);
    expect(asked.body.changeRequest).toMatchObject({
      featureName: 'checkout',
      environment: 'production',
      state: 'In review',
      createdBy: 'user:default/ada',
      requiredApprovals: 1,
      approvals: [],
      mayApprove: false,
      change: { before: { enabled: false }, after: { enabled: true } },
    });
    // The next change is added to the request.
    const more = await suite.ada('PATCH', IN_PRODUCTION, {
      strategies: [QUARTER],
    });
    expect(more.body.changeRequest).toMatchObject({
      id,
      change: { after: { enabled: true, strategies: [QUARTER] } },
    });
    expect(await production()).toMatchObject({ enabled: false });

    expect((await setState('ada', id, 'Applied')).status).toBe(409);
    expect((await setState('ada', id, 'Approved')).status).toBe(403);
    expect((await setState('bob', id, 'Approved')).status).toBe(403);
    const byToken = await suite.calls.admin(
      'PUT',
      `/change-requests/${id}/state`,
      { state: 'Approved' },
    );
    expect(byToken.status).toBe(403);
    const seen = await suite.grace('GET', `/change-requests/${id}`);
    expect(seen.body.mayApprove).toBe(true);
    const approved = await setState('grace', id, 'Approved', {
      comment: 'Go ahead',
    });
    expect(approved.body).toMatchObject({
      state: 'Approved',
      approvals: ['user:default/grace'],
      reviews: [{ verdict: 'approved', comment: 'Go ahead' }],
    });
    expect((await setState('ada', id, 'Applied')).body.state).toBe('Applied');
    expect(await production()).toMatchObject({
      enabled: true,
      strategies: [QUARTER],
    });
    expect((await setState('grace', id, 'Applied')).status).toBe(409);
    const { body } = await suite.bob('GET', '/events?featureName=checkout');
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'change-request-applied',
      'feature-updated',
      'change-request-approved',
      'change-request-updated',
      'change-request-created',
      'feature-created',
    ]);
  });

  it('loses its approvals when it is changed, and is cancelled when it is empty', async () => {
    await suite.ada('PUT', '/environments/production', {
      requiredApprovals: 2,
    });
    const { body } = await suite.ada('POST', `${IN_PRODUCTION}/on`);
    const { id } = body.changeRequest;
    const once = await setState('grace', id, 'Approved');
    expect(once.body).toMatchObject({ state: 'In review', mayApprove: false });
    const changed = await suite.ada('PATCH', IN_PRODUCTION, {
      strategies: [QUARTER],
    });
    expect(changed.body.changeRequest).toMatchObject({ id, approvals: [] });
    await suite.ada('PATCH', IN_PRODUCTION, { enabled: false, strategies: [] });
    const ended = await suite.ada('GET', `/change-requests/${id}`);
    expect(ended.body.state).toBe('Cancelled');
    expect((await setState('grace', id, 'Rejected')).status).toBe(409);
  });

  it('is not applied over later changes of others', async () => {
    const on = await suite.ada('POST', `${IN_PRODUCTION}/on`);
    const other = await suite.grace('PATCH', IN_PRODUCTION, {
      strategies: [QUARTER],
    });
    const same = await suite.grace('PATCH', IN_PRODUCTION, {
      strategies: [
        { ...QUARTER, parameters: { ...QUARTER.parameters, rollout: '50' } },
      ],
    });
    expect(same.body.changeRequest.id).toBe(other.body.changeRequest.id);
    const [first, second] = [on, other].map(
      response => response.body.changeRequest.id as number,
    );
    await setState('grace', first, 'Approved');
    await setState('ada', second, 'Approved');
    // One turns it on, the other sets its rules: both apply.
    expect((await setState('ada', first, 'Applied')).status).toBe(200);
    expect((await setState('ada', second, 'Applied')).status).toBe(200);
    expect(await production()).toMatchObject({
      enabled: true,
      strategies: [{ parameters: { rollout: '50' } }],
    });
    const [{ body: one }, { body: two }] = [
      await suite.ada('PATCH', IN_PRODUCTION, { strategies: [QUARTER] }),
      await suite.grace('PATCH', IN_PRODUCTION, { strategies: [] }),
    ];
    await setState('grace', one.changeRequest.id, 'Approved');
    await setState('ada', two.changeRequest.id, 'Approved');
    await setState('ada', one.changeRequest.id, 'Applied');
    const late = await setState('ada', two.changeRequest.id, 'Applied');
    expect(late.status).toBe(409);
    expect(late.body.message).toMatch(/has changed since/);
  });

  it('loses none of the changes that an author makes at once', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    const responses = await Promise.all(
      names.map(title =>
        suite.ada('POST', `${IN_PRODUCTION}/strategies`, {
          ...QUARTER,
          title,
        }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(names.map(() => 202));
    const { body } = await suite.ada('GET', '/change-requests?state=open');
    expect(body.changeRequests).toHaveLength(1);
    const { strategies } = body.changeRequests[0].change.after;
    expect(
      strategies.map(({ title }: { title: string }) => title).sort(),
    ).toEqual([...names].sort());
  });

  it('does not keep its author from further changes when it can no longer be applied', async () => {
    const variants = (name: string) => ({
      variants: [{ name, weight: 1_000 }],
    });
    const mine = await suite.ada('PATCH', IN_PRODUCTION, variants('mine'));
    const theirs = await suite.grace(
      'PATCH',
      IN_PRODUCTION,
      variants('theirs'),
    );
    const { id } = theirs.body.changeRequest;
    await setState('ada', id, 'Approved');
    await setState('ada', id, 'Applied');
    const next = await suite.ada('POST', `${IN_PRODUCTION}/on`);
    expect([next.status, next.body.changeRequest]).toMatchObject([
      202,
      { change: { after: { enabled: true, ...variants('theirs') } } },
    ]);
    expect(next.body.changeRequest.id).not.toBe(mine.body.changeRequest.id);
    const joined = await suite.ada('PATCH', IN_PRODUCTION, {
      strategies: [QUARTER],
    });
    expect(joined.body.changeRequest.id).toBe(next.body.changeRequest.id);
  });

  it('is applied once, by whoever is first', async () => {
    const { body } = await suite.ada('POST', `${IN_PRODUCTION}/on`);
    const { id } = body.changeRequest;
    await setState('grace', id, 'Approved');
    const responses = await Promise.all(
      ['ada', 'grace', 'ada', 'grace'].map(by =>
        setState(by as 'ada' | 'grace', id, 'Applied'),
      ),
    );
    expect(responses.some(({ status }) => status === 200)).toBe(true);
    const { body: history } = await suite.ada(
      'GET',
      '/events?featureName=checkout',
    );
    const types = history.events.map(({ type }: { type: string }) => type);
    expect(
      types.filter((type: string) => type === 'change-request-applied'),
    ).toHaveLength(1);
    expect(
      types.filter((type: string) => type === 'feature-updated'),
    ).toHaveLength(1);
  });

  it('is either applied or rejected when both are asked for at once', async () => {
    const { body } = await suite.ada('POST', `${IN_PRODUCTION}/on`);
    const { id } = body.changeRequest;
    await setState('grace', id, 'Approved');
    const answers = await Promise.all([
      setState('ada', id, 'Applied'),
      setState('grace', id, 'Rejected'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const ended = await suite.ada('GET', `/change-requests/${id}`);
    expect((await production()).enabled).toBe(ended.body.state === 'Applied');
  });

  it('cannot be bypassed', async () => {
    const { body } = await suite.ada('POST', `${IN_PRODUCTION}/on`);
    const { id } = body.changeRequest;
    await setState('grace', id, 'Approved');
    await setState('grace', id, 'Applied');
    const archived = await suite.ada('DELETE', '/features/checkout');
    expect(archived.status).toBe(403);
    expect(archived.body.message).toMatch(
      /on in production, which is protected/,
    );
    await suite.calls.create('parent');
    const dependency = await suite.ada(
      'POST',
      '/projects/default/features/checkout/dependencies',
      { feature: 'parent' },
    );
    expect(dependency.status).toBe(403);
    const token = await suite.ada('POST', '/api-tokens', {
      tokenName: 'script',
      type: 'admin',
    });
    const off = await suite.calls.send(
      'POST',
      `/api/admin${IN_PRODUCTION}/off`,
      { token: token.body.secret },
    );
    expect(off.status).toBe(202);
    // The creator of the token counts as an author of its requests.
    expect(
      (await setState('ada', off.body.changeRequest.id, 'Approved')).status,
    ).toBe(403);
    expect(
      (await setState('grace', off.body.changeRequest.id, 'Approved')).status,
    ).toBe(200);

    const segment = await suite.ada('POST', '/segments', {
      name: 'eu',
      constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
    });
    await suite.ada('PUT', '/environments/production', { protected: false });
    await suite.ada('PATCH', IN_PRODUCTION, {
      strategies: [{ ...QUARTER, segments: [segment.body.id] }],
    });
    await suite.ada('PUT', '/environments/production', { protected: true });
    const path = `/segments/${segment.body.id}`;
    expect((await suite.ada('PUT', path, { constraints: [] })).status).toBe(
      403,
    );
    expect(
      (await suite.ada('PUT', path, { description: 'Europe' })).status,
    ).toBe(200);

    // The contract's routes still change flags directly.
    const own = await suite.calls.admin('POST', '/features/parent/toggle/on');
    expect(own.body).toMatchObject({ enabled: true });
    const refused = await suite.ada('PUT', '/environments/development', {
      protected: true,
    });
    expect(refused.status).toBe(409);
  });

  it('is applied at its time, also across a restart', async () => {
    const { body } = await suite.ada('POST', `${IN_PRODUCTION}/on`);
    const { id } = body.changeRequest;
    await setState('grace', id, 'Approved');
    expect((await setState('ada', id, 'Scheduled')).status).toBe(400);
    const past = { scheduledAt: suite.timeIn(-1) };
    expect((await setState('ada', id, 'Scheduled', past)).status).toBe(400);
    await setState('ada', id, 'Scheduled', { scheduledAt: suite.timeIn(30) });
    await suite.restart();
    suite.pass(29);
    expect(await production()).toMatchObject({ enabled: false });
    suite.pass(2);
    await vi.waitUntil(async () => (await production()).enabled);
    const done = async () =>
      (await suite.ada('GET', `/change-requests/${id}`)).body.state;
    await vi.waitUntil(async () => (await done()) === 'Applied');
  });

  it('can be listed, commented on and cancelled, and says what is invalid', async () => {
    const { body } = await suite.ada('POST', `${IN_PRODUCTION}/on`);
    const { id } = body.changeRequest;
    await suite.grace('POST', `/change-requests/${id}/comments`, {
      text: 'Why now?',
    });
    const open = await suite.bob('GET', '/change-requests?state=open');
    expect(open.body.changeRequests).toMatchObject([
      { id, reviews: [{ verdict: 'comment', comment: 'Why now?' }] },
    ]);
    expect((await setState('ada', id, 'Cancelled')).body.state).toBe(
      'Cancelled',
    );
    const closed = await suite.bob(
      'GET',
      '/change-requests?state=closed&featureName=checkout&environment=production',
    );
    expect(closed.body.changeRequests).toHaveLength(1);
    expect((await setState('ada', 99, 'Cancelled')).status).toBe(404);
    expect((await setState('ada', id, 'Gone')).status).toBe(400);
    expect((await suite.ada('GET', '/change-requests/x')).status).toBe(404);
    expect(
      (await suite.calls.send('GET', '/api/admin/change-requests')).status,
    ).toBe(401);
    const stale = await suite.calls.send(
      'POST',
      `/api/admin${IN_PRODUCTION}/on`,
      { token: ADMIN_TOKEN, headers: { 'if-match': '"0"' } },
    );
    expect(stale.status).toBe(412);
  });
});
