import { portalSuite } from '../__testUtils__/portalSuite.ts';

describe('who may change flags', () => {
  const suite = portalSuite('sqlite');
  const component = (owner: string) => ({
    kind: 'Component',
    metadata: { name: 'shop', namespace: 'default' },
    relations: [{ type: 'ownedBy', targetRef: owner }],
  });

  it('is the owner of their project, and admins everywhere', async () => {
    await suite.calls.create('mine', { project: 'shop' });
    await suite.calls.create('other');
    const toggle = async (flag: string) =>
      (await suite.bob('POST', `/features/${flag}/toggle/on`)).status;
    expect(await toggle('mine')).toBe(403);
    expect(await toggle('none')).toBe(403);
    const owner = async (ref: string | null) =>
      (await suite.ada('PUT', '/projects/shop', { owner: ref })).status;
    expect(await owner('user:default/bob')).toBe(200);
    expect(await toggle('mine')).toBe(200);
    expect(await toggle('other')).toBe(403);
    const user = await suite.bob('GET', '/user');
    expect(user.body).toMatchObject({ mayChange: false, projects: ['shop'] });

    const inProject = (project: string, rest = '') =>
      `/projects/${project}/features${rest}`;
    const create = (project: string) =>
      suite.bob('POST', inProject(project), { name: `new-in-${project}` });
    expect((await create('shop')).status).toBe(201);
    expect((await create('default')).status).toBe(403);
    const on = '/environments/production/on';
    // The flag's own project decides, not the one in the path.
    expect(
      (await suite.bob('POST', inProject('shop', `/other${on}`))).status,
    ).toBe(403);
    expect(
      (await suite.bob('POST', inProject('shop', `/mine${on}`))).status,
    ).toBe(200);
    const { body } = await suite.bob('GET', '/events?featureName=mine&limit=1');
    const undo = (id: number) => suite.bob('POST', `/events/${id}/rollback`);
    expect((await undo(body.events[0].id)).status).toBe(200);
    const others = await suite.ada('GET', '/events?featureName=other');
    expect((await undo(others.body.events[0].id)).status).toBe(403);
    for (const [method, path] of [
      ['PUT', '/projects/shop'],
      ['POST', '/projects'],
      ['POST', '/segments'],
      ['PUT', '/environments/production'],
      ['GET', '/api-tokens'],
      ['POST', '/features'],
    ] as const) {
      const payload = method === 'GET' ? undefined : { name: 'x', id: 'x' };
      expect((await suite.bob(method, path, payload)).status).toBe(403);
    }
  });

  it('is the owner of the component that a project names', async () => {
    await suite.calls.create('mine', { project: 'shop' });
    await suite.ada('PUT', '/projects/shop', {
      owner: 'component:default/shop',
    });
    const toggle = async () =>
      (await suite.bob('POST', '/features/mine/toggle/on')).status;
    expect(await toggle()).toBe(403);
    suite.portal.entities = [component('user:default/bob')] as never;
    suite.pass(1);
    expect(await toggle()).toBe(200);
    const wrong = await suite.ada('PUT', '/projects/shop', { owner: 'bob' });
    expect(wrong.status).toBe(400);
    suite.portal.down = true;
    suite.pass(1);
    expect(await toggle()).toBe(503);
  });
});
