import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer, ContractPortal } from './ContractPortal';
import { expectRefusal } from './expectations';
import type { RunningPortal } from './RunningPortal';
import { TOKENS } from './tokens';

/**
 * Defines tests that signed-in users may register catalog entities, but not entities that determine
 * identities.
 */
// eslint-disable-next-line jest/no-export -- contract.test.ts runs it.
export function describeElevation(running: () => RunningPortal): void {
  let portal: ContractPortal;
  const GRACE = 'user:default/grace';

  let grace: string;
  let ada: string;

  beforeAll(async () => {
    ({ portal } = running());
    [grace, ada] = await Promise.all([
      portal.signIn('grace'),
      portal.signIn('ada'),
    ]);
  });

  function entity(kind: string, name: string, spec: object): string {
    return JSON.stringify({
      apiVersion: 'backstage.io/v1alpha1',
      kind,
      metadata: { name },
      spec,
    });
  }

  const mallory = entity('User', 'mallory', { memberOf: ['platform-admins'] });
  const shop = entity('Component', 'late', {
    type: 'service',
    lifecycle: 'production',
    owner: 'payments',
  });

  function write(file: string, text: string): string {
    writeFileSync(path.join(portal.folder, file), text);
    return file;
  }

  function register(target: string): Promise<Answer> {
    return portal.ask('/catalog/locations', {
      method: 'POST',
      token: grace,
      body: { type: 'file', target },
    });
  }

  function find(ref: string): Promise<Answer> {
    return portal.ask(`/catalog/entities/by-name/${ref}`, {
      token: TOKENS.service,
    });
  }

  describe('people and groups', () => {
    it.each([
      ['a user', mallory],
      [
        'a user of another case',
        entity('user', 'mallory', { memberOf: ['platform-admins'] }),
      ],
      [
        'oneself',
        entity('User', 'grace', { memberOf: ['platform-admins', 'payments'] }),
      ],
      [
        'a group with oneself in it',
        entity('Group', 'platform-admins', {
          type: 'team',
          children: [],
          members: [GRACE],
        }),
      ],
      ['a user behind a component', `${shop}\n---\n${mallory}`],
    ])('are not registered: %s', async (_, text) => {
      const answer = await register(write('people.yaml', text));
      expect(expectRefusal(answer, 400)).toMatch(
        /^(user|group):default\/\S+ is of a kind that is not allowed/,
      );
    });

    it('are not registered through locations that refer to them', async () => {
      const people = path.join(portal.folder, write('people.yaml', mallory));
      const inner = entity('Location', 'inner', { targets: [people] });
      const way = path.join(portal.folder, write('inner.yaml', inner));
      const outer = entity('Location', 'outer', { targets: [way] });
      const answer = await register(write('outer.yaml', outer));
      expect(expectRefusal(answer, 400)).toContain(
        'is of a kind that is not allowed',
      );
    });

    it('are not added when the descriptor changes later', async () => {
      write('late.yaml', shop);
      expect((await register('late.yaml')).status).toBe(201);
      await vi.waitFor(
        async () =>
          expect((await find('component/default/late')).status).toBe(200),
        { timeout: 30_000, interval: 200 },
      );
      write('late.yaml', `${shop}\n---\n${mallory}`);
      await vi.waitFor(
        async () => {
          const all = await portal.ask(
            '/catalog/entities?filter=kind=location',
            {
              token: TOKENS.service,
            },
          );
          expect(JSON.stringify(all.body)).toMatch(/not of an allowed kind/);
        },
        { timeout: 30_000, interval: 500 },
      );
      expect((await find('user/default/mallory')).status).toBe(404);
      const refused = await portal.ask('/auth/dev/refresh?user=mallory');
      expect(refused.status).not.toBe(200);
    });

    it('are read from the configuration', async () => {
      const { body } = await find('user/default/grace');
      expect(body).toMatchObject({ spec: { memberOf: ['payments'] } });
    });
  });

  it('lets only admins manage registered locations', async () => {
    const target = write('hers.yaml', shop.replace('late', 'hers'));
    const other = write('other.yaml', shop.replace('late', 'other'));
    const { body } = await register(target);
    const { locationId } = body as { locationId: string };
    const change = (method: string, token: string) =>
      portal.ask(`/catalog/locations/${locationId}`, {
        method,
        token,
        body: method === 'PUT' ? { type: 'file', target: other } : undefined,
      });
    for (const method of ['PUT', 'DELETE']) {
      const before = await change('GET', grace);
      expect((await change(method, grace)).status).toBe(403);
      expect((await change('GET', grace)).body).toEqual(before.body);
    }
    expect((await change('PUT', ada)).status).toBe(200);
    expect((await change('DELETE', ada)).status).toBe(204);
    expect((await change('GET', grace)).status).toBe(404);
  });
}
